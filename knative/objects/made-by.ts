/** The end of the first line of a file that `make manifests` generates from definitions. */
export const madeBy = 'Generated from its definition by make manifests.'
