import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The certificates (PEM) in a file, or in all files of a folder and the folders in it, as Knative mounts its trust
 * bundles. Nothing where there is neither. Files without a certificate are passed over.
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
  // `..data` and the like are how the kubelet swaps the files of a mounted ConfigMap; they are reached by their names.
  const names = (await readdir(path)).filter(name => !name.startsWith('..')).toSorted()
  return (await Promise.all(names.map(name => filesOf(join(path, name))))).flat()
}
