import { basename, isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the shell command of this program: outside of a clone, the name without a scope may belong to another
 * package. (In a package, the files are JavaScript.)
 */
export const commandName = (ownFile: string = import.meta.filename): string =>
  basename(ownFile).endsWith('.ts') ? 'npx --no trellis' : 'npx @trellis-gardener/trellis'

/** Returns the path of an example, relative to the working directory: `examples/dnsrecord/shoot.yaml` in a clone. */
export const examplePath = (name: string): string => {
  const file = fileURLToPath(new URL(`../examples/${name}`, import.meta.url))
  const near = relative(process.cwd(), file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
