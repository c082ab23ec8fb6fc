import { basename, isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const plugin = 'kubectl-trellis'

/** Returns the name by which a user called the program: `kubectl trellis` if its file is that of kubectl's plugin. */
export const calledAs = (program: string | undefined = process.argv[1]): 'trellis' | 'kubectl trellis' =>
  basename(program ?? '').startsWith(plugin) ? 'kubectl trellis' : 'trellis'

/** Returns true if kubectl called the program for the completion of its plugin. */
export const isCompletionOfKubectl = (program: string | undefined): boolean =>
  basename(program ?? '').startsWith('kubectl_complete-trellis')

/** Returns a text for users with its commands as they called the program: `kubectl trellis status`. */
export const asCalled = (text: string, name: string = calledAs()): string =>
  text.replace(/(?<![\w/-]|kubectl |npx |--no )trellis(?= (?:[a-z]+\b|COMMAND))/g, name)

/**
 * Returns the shell command of this program: outside of a clone, the name without a scope may belong to another
 * package. (In a package, the files are JavaScript.)
 */
export const commandName = (ownFile: string = import.meta.filename, called: string = calledAs()): string => {
  if (called !== 'trellis') return called
  return basename(ownFile).endsWith('.ts') ? 'npx --no trellis' : 'npx @trellis-gardener/trellis'
}

/** Returns the path of an example, relative to the working directory: `examples/dnsrecord/shoot.yaml` in a clone. */
export const examplePath = (name: string): string => {
  const file = fileURLToPath(new URL(`../examples/${name}`, import.meta.url))
  const near = relative(process.cwd(), file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
