import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { deploymentOf } from './deployment.ts'
import { yamlOf } from './files/yaml-of.ts'
import { functionObjects } from './objects/function-objects.ts'
import { madeBy } from './objects/made-by.ts'

/** Whether a file was written by `make manifests`, and no hand. */
export const isMadeManifest = (text: string): boolean => (text.split('\n')[0] ?? '').endsWith(madeBy)

/** What makes a function run in a seed, as YAML documents, with the reasons as comments. */
export const functionManifest = (definition: FunctionDefinition): string =>
  yamlOf(functionObjects(deploymentOf(), definition))
