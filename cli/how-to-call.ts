import { basename, isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * How a shell calls this command line: outside of a clone the name alone may be a stranger's. (A package has its files as
 * JavaScript.)
 */
export const commandName = (ownFile: string = import.meta.filename): string =>
  basename(ownFile).endsWith('.ts') ? 'npx trellis' : 'npx @trellis-gardener/trellis'

/** The path of an example for a shell in the working directory: `examples/dnsrecord/shoot.yaml` in a clone. */
export const examplePath = (name: string): string => {
  const file = fileURLToPath(new URL(`../examples/${name}`, import.meta.url))
  const near = relative(process.cwd(), file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
