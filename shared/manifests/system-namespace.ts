/** Labels or annotations. */
export type TextMap = Readonly<Record<string, string>>

/** Namespace of the shoot's system components. */
export const systemNamespace = 'kube-system'
