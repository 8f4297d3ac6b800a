/** Keeps a phone's screen on while the table is shown. Returns what lets it sleep again. */
export function keepAwake(): () => void {
  if (!("wakeLock" in navigator)) return () => undefined;
  let lock: WakeLockSentinel | null = null;
  let done = false;
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== "visible" || done) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (done) void lock.release();
    } catch {
      lock = null; // a low battery refuses; the table works all the same
    }
  };
  const again = (): void => void ask();
  document.addEventListener("visibilitychange", again);
  void ask();
  return () => {
    done = true;
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
  };
}
