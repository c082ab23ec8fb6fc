/** Condition type of a node. True if its pods cannot reach others. */
export const networkUnavailable = 'NetworkUnavailable'
