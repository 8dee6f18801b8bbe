/** Sent to the document once the screen that the server rendered answers to what people do. */
export const ALIVE = 'alive'
