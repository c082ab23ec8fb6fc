import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { Provider } from '../cli/provider/provider.ts'

/** `.ts` of the sources, `.js` of a package. */
const file = `provider${basename(import.meta.filename).replace('find-providers', '')}`

/**
 * The providers that there are: `provider` of each `functions/<name>/provider.ts`, by name. `root`: the folder that stands
 * for `functions/`. Throws for a folder whose provider has another name.
 */
export const findProviders = async (
  root: URL = new URL('.', import.meta.url),
): Promise<readonly Provider[]> => {
  const names = readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(new URL(`${entry.name}/${file}`, root)))
    .map(({ name }) => name)
    .toSorted()
  return Promise.all(
    names.map(async name => {
      const { provider } = (await import(new URL(`${name}/${file}`, root).href)) as {
        readonly provider?: Provider
      }
      if (provider?.name !== name)
        throw new Error(`functions/${name}/${file}: expected provider.name to be ${name}`)
      return provider
    }),
  )
}
