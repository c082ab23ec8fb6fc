/** The type, also used as the name of all its objects. */
export const name = 'local-ext-shoot'

export const nameLabels = { 'app.kubernetes.io/name': name } as const
