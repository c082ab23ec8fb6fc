/** Type of a node's condition: True where its pods cannot reach others. */
export const networkUnavailable = 'NetworkUnavailable'
