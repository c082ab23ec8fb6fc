import { readFile } from 'node:fs/promises'

/** The file in which the kubelet writes the namespace of a pod. */
const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace'

/** Returns the namespace of this pod; undefined: the process is no pod. */
export const podNamespace = async (): Promise<string | undefined> => {
  try {
    return (await readFile(namespaceFile, 'utf8')).trim() || undefined
  } catch {
    return undefined
  }
}
