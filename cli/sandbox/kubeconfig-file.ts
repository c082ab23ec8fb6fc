import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

/** A kubeconfig on disk, deleted when the sandbox ends. */
export interface KubeconfigFile {
  readonly path: string
  readonly remove: () => Promise<void>
}

/** A line in every kubeconfig of a sandbox, which distinguishes it from the user's files. */
const mark = 'current-context: trellis\n'

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
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present !== undefined && present.trim() !== '' && !present.includes(mark)) {
    throw new UsageError(`${path} holds another kubeconfig. Choose another file with --kubeconfig`)
  }
  try {
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    const { code } = error as { readonly code?: string }
    throw new UsageError(
      `cannot write ${path} (${code} in ${dirname(path)}). Choose another file with --kubeconfig`,
    )
  }
  return { path, remove: () => rm(path, { force: true }) }
}
