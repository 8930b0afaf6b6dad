/**
 * Names the channels by which the window gets its connection. A port can't pass from the main process into a page
 * directly:
 *
 *     page                      preload                      main
 *      | postMessage {spillway:ready} |                         |
 *      |----------------------------->| send spillway:connect   |
 *      |                              |------------------------>| makes a channel, serves one end
 *      |                              |   spillway:port + port  |
 *      |   postMessage {spillway:port}|<------------------------|
 *      |<-----------------------------|                         |
 *
 * The page (renderer/connection) listens before it asks, takes the port from `event.ports[0]` of a message whose
 * `event.source` is its own window and whose `data.type` is `spillway:port`, and may ask again: it gets a new port.
 */
export const CONNECT = 'spillway:connect';
export const READY = 'spillway:ready';
export const PORT = 'spillway:port';
