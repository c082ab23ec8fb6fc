/** The type, and what everything of it is called. */
export const name = 'local-ext-shoot'

export const nameLabels = { 'app.kubernetes.io/name': name } as const
