"""The noise proof: fifteen minutes of sound without a word through the real speech path, which makes no text of it."""
