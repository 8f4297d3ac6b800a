"""Media workers: processes that carry the voice of whole tables, so that the server's own work never delays a packet.

`pool.MediaWorkers` is the server's side; its `open` makes a room like `voice.media.room.MediaRoom`, whose connections
and gate are in a worker. `worker` is the process. `wire` is what they say to each other.
"""
