/** Labels or annotations. */
export type TextMap = Readonly<Record<string, string>>

/** Where the shoot's own components live. */
export const systemNamespace = 'kube-system'
