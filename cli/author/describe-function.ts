import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageVersion } from '../../build/project/package-version.ts'
import { loadDefinition } from '../../functions/load-definition.ts'
import { functionManifest } from '../../knative/function-manifest.ts'
import { ownHealthOf } from '../../shared/health/health.ts'
import { formatDefinitionProblem, formatPlace, processSettingsOf } from '../../shared/runtime/runtime.ts'
import type { Description } from './description.ts'

// The process that reads one function's file: node describe-function.ts FILE. It prints a `Description` after a unique
// marker line and ends, so that everything the file imports or starts ends too.
const [given = '', mark = ''] = process.argv.slice(2)
const file = resolve(given)

/** Everything loaded from here on is the author's, except for packages. */
const files = new Set([file])
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context)
    if (resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/'))
      files.add(fileURLToPath(resolved.url))
    return resolved
  },
})

const describe = async (): Promise<Description> => {
  const loaded = await loadDefinition(file)
  if ('problems' in loaded)
    return { problems: loaded.problems.map(formatDefinitionProblem), files: [...files] }
  const { definition } = loaded
  const { name, kind, types, classes, secondary, place = { file } } = definition
  return {
    name,
    kind,
    types,
    classes,
    ...(secondary && { secondary: { conditions: secondary.conditions } }),
    health: ownHealthOf([definition]),
    place: formatPlace(place),
    settings: Object.keys(processSettingsOf(definition).shape),
    manifest: functionManifest(definition, await packageVersion()),
    files: [...files],
  }
}

const description = await describe()
process.stdout.write(`\n${mark}${JSON.stringify(description)}\n`, () => process.exit())
