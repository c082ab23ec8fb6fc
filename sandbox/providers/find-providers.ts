import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefinitionProblem } from '../../shared/runtime/runtime.ts'
import type { Provider } from './provider.ts'

/** `.ts` as source, `.js` in a package. */
const extension = basename(import.meta.filename).replace('find-providers', '')

/**
 * Finds the providers: `provider` of each `sandbox/providers/<name>/provider.ts`, by name. `root`: the folder used
 * instead of `sandbox/providers/`. Throws a `DefinitionError` that names all errors with file and line. Every help
 * reads this, so code that only reports errors is loaded on demand.
 */
export const findProviders = async (
  root: URL = new URL('.', import.meta.url),
): Promise<readonly Provider[]> => {
  const names = readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(new URL(`${entry.name}/provider${extension}`, root)))
    .map(({ name }) => name)
    .toSorted()
  const loaded = await Promise.all(
    names.map(name => load(name, new URL(`${name}/provider${extension}`, root))),
  )
  const problems = loaded.flatMap(result => ('problem' in result ? [result.problem] : []))
  if (problems.length > 0) {
    const { DefinitionError } = await import('../../shared/runtime/runtime.ts')
    throw new DefinitionError(problems)
  }
  return loaded.flatMap(result => ('provider' in result ? [result.provider] : []))
}

type Loaded = { readonly provider: Provider } | { readonly problem: DefinitionProblem }

const load = async (name: string, url: URL): Promise<Loaded> => {
  const file = fileURLToPath(url)
  try {
    const { provider } = (await import(url.href)) as { readonly provider?: Partial<Provider> }
    if (typeof provider !== 'object')
      return { problem: { place: { file, line: 1 }, message: 'no export `provider`' } }
    if (provider.name !== name) {
      const message = `provider.name: expected ${JSON.stringify(name)}, the name of its folder, found ${JSON.stringify(provider.name)}`
      return { problem: { place: { file }, message } }
    }
    const missing = Object.entries(required)
      .filter(([member, type]) => typeof provider[member as keyof Provider] !== type)
      .map(([member, type]) => `${member} (${type})`)
    return missing.length === 0
      ? { provider: provider as Provider }
      : { problem: { place: { file }, message: `provider lacks ${missing.join(', ')}` } }
  } catch (error) {
    return { problem: (await import('../../functions/load-failure.ts')).loadFailure(file, error) }
  }
}

/**
 * The required fields of every provider and their types. The compiler checks them where a provider is declared as one.
 */
const required = {
  title: 'string',
  texts: 'object',
  credentials: 'object',
  plans: 'object',
  simulate: 'function',
  connect: 'function',
  parseState: 'function',
  functionSettings: 'function',
  plan: 'function',
} as const satisfies Partial<Record<keyof Provider, string>>
