/** Ends the first line of a file that `make manifests` has written of definitions. */
export const madeBy = 'Made from its definition by make manifests.'
