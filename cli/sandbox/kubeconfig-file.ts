import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { recordOf, recordsOf, stringOf } from '../../shared/decode/record-of.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'

/** A kubeconfig on disk, deleted when the sandbox ends. */
export interface KubeconfigFile {
  readonly path: string
  readonly remove: () => Promise<void>
}

/**
 * Returns the address of the sandbox whose kubeconfig this is. Undefined for a file of the user, also if an entry of a
 * sandbox was merged into it: such a file is never replaced or deleted.
 */
const sandboxOf = (text: string): string | undefined => {
  const [document] = readYaml(text)
  const lists = recordOf(document !== undefined && 'value' in document ? document.value : undefined)
  const isOwn = ['clusters', 'users', 'contexts'].every(list => {
    const entries = recordsOf(lists[list])
    return entries.length === 1 && entries[0]?.name === 'trellis'
  })
  const server = stringOf(recordOf(recordsOf(lists.clusters)[0]?.cluster).server)
  return isOwn && server.startsWith('http://127.0.0.1:') ? server : undefined
}

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

/**
 * Writes the kubeconfig to `path`, or into a new folder. Throws a `UsageError` if the file is not a sandbox's
 * kubeconfig, or cannot be written.
 */
export const writeKubeconfig = async (text: string, path: string | undefined): Promise<KubeconfigFile> => {
  if (path === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-'))
    const file = join(folder, 'kubeconfig')
    await writeFile(file, text, { mode: 0o600 })
    return { path: file, remove: () => rm(folder, { recursive: true, force: true }) }
  }
  const present = (await readText(path)) ?? ''
  if (present.trim() !== '' && sandboxOf(present) === undefined)
    throw new UsageError(`${path} holds another kubeconfig. Choose another file with --kubeconfig`)
  try {
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    const { code } = error as { readonly code?: string }
    throw new UsageError(
      `cannot write ${path} (${code} in ${dirname(path)}). Choose another file with --kubeconfig`,
    )
  }
  const remove = async () => {
    // A later sandbox may have written it.
    if (sandboxOf((await readText(path)) ?? '') === sandboxOf(text)) await rm(path, { force: true })
  }
  return { path, remove }
}
