import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Preloaded into the processes of a mutant. Its workers inherit it with NODE_OPTIONS.
const { MUTANT_FOLDER = '', MUTANT_FILES = '' } = process.env
const root = join(import.meta.dirname, '../../..')
const changed = new Map(
  MUTANT_FILES.split(':').map(file => [pathToFileURL(join(root, file)).href, join(MUTANT_FOLDER, file)]),
)
registerHooks({
  load: (url, context, nextLoad) => {
    const file = changed.get(url)
    return file === undefined
      ? nextLoad(url, context)
      : { format: 'module-typescript', source: readFileSync(file, 'utf8'), shortCircuit: true }
  },
})
