/** How a server can be reached (product section 1). */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const;
export type TransportKind = (typeof TRANSPORTS)[number];
