/** The end of the first line of a file that `make manifests` generates from definitions. */
export const madeBy = 'Made from its definition by make manifests.'
