import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the certificates (PEM) in a file, or in all files of a folder and its subfolders, as Knative mounts its trust
 * bundles. Returns an empty list if the path does not exist. Skips files without a certificate.
 */
export const readTrustBundle = async (path: string): Promise<readonly string[]> => {
  const files = await filesOf(path)
  const texts = await Promise.all(files.map(file => readFile(file, 'utf8')))
  return [...new Set(texts.filter(text => text.includes('-----BEGIN CERTIFICATE-----')))]
}

const filesOf = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  // The kubelet uses `..data` and the like to swap the files of a mounted ConfigMap; the files are also reachable by
  // their names.
  const names = (await readdir(path)).filter(name => !name.startsWith('..')).toSorted()
  return (await Promise.all(names.map(name => filesOf(join(path, name))))).flat()
}
