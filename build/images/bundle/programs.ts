import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../../functions/find-functions.ts'
import { findWebhooks } from '../../../functions/find-webhooks.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { BundleSource } from './bundle.ts'
import { type Sample, sampleOf } from './sample-of.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Must be first: then all reads of later modules during a snapshot are reproducible. */
const startFirst = `import { startProcess } from './shared/runtime/start/start-process.ts'`

export interface Program {
  /** The name of its folder under `dist/bundles` and of its image in a registry. */
  readonly name: string
  readonly source: BundleSource
  /** Set if the program is one function. */
  readonly definition?: FunctionDefinition
  /** The programs that it starts. They are in its image, in the folder `programs`. */
  readonly starts?: readonly Pick<Program, 'name' | 'source'>[]
}

/** The input of a function's warm-up: these objects and an empty cloud. */
const warmUpOptions = (objects: Sample): string =>
  `{ objects: JSON.parse(${JSON.stringify(JSON.stringify(objects))}), connection: emptyCloud }`

const importEmptyCloud = `import { emptyCloud } from './build/images/bundle/empty-cloud.ts'`

/**
 * The program of a function's process: `functions/main.ts` with a function that is known at build time. Under the
 * command line of the functions framework, the definition registers itself and the framework serves it.
 */
export const functionProgram = (file: string, sample: Sample = []): BundleSource => ({
  stdin: {
    contents: `
      ${startFirst}
      import { definition } from ${JSON.stringify(file)}
      import { bootFunction } from './shared/runtime/boot-function.ts'
      import { isFrameworkProcess } from './shared/runtime/register-if-framework.ts'
      import { warmUp } from './shared/runtime/start/start.ts'
      ${importEmptyCloud}
      if (!isFrameworkProcess()) startProcess(() => bootFunction(definition), () => warmUp(definition, ${warmUpOptions(sample)}))`,
    resolveDir: root,
  },
})

/**
 * The program of one process that hosts these functions, each at the path of its name. `name`: the name of the process
 * in logs.
 */
const compactProgram = (
  name: string,
  functions: readonly { readonly file: string; readonly sample?: Sample }[],
): BundleSource => ({
  stdin: {
    contents: [
      startFirst,
      ...functions.map(
        ({ file }, index) => `import { definition as function${index} } from ${JSON.stringify(file)}`,
      ),
      `import { bootFunctions } from './shared/runtime/boot-functions.ts'`,
      `import { isFrameworkProcess } from './shared/runtime/register-if-framework.ts'`,
      `import { warmUp } from './shared/runtime/start/start.ts'`,
      importEmptyCloud,
      `const definitions = [${functions.map((_, index) => `function${index}`)}]`,
      `if (!isFrameworkProcess()) startProcess(() => bootFunctions(${JSON.stringify(name)}, definitions), async () => {`,
      // In parallel: one that waits forever does not block the others.
      `  await Promise.all([`,
      ...functions.map(({ sample = [] }, index) => `    warmUp(function${index}, ${warmUpOptions(sample)}),`),
      `  ])`,
      `})`,
    ].join('\n'),
    resolveDir: root,
  },
})

/**
 * The program of the process that serves these admission functions: `functions/webhooks-main.ts` with functions that
 * are known at build time.
 */
const webhookProgram = (files: readonly string[]): BundleSource => ({
  stdin: {
    contents: [
      startFirst,
      ...files.map((file, index) => `import { definition as webhook${index} } from ${JSON.stringify(file)}`),
      `import { bootWebhooks } from './shared/webhooks/server/process/boot-webhooks.ts'`,
      `const definitions = [${files.map((_, index) => `webhook${index}`)}]`,
      `startProcess(() => bootWebhooks(definitions), async () => undefined)`,
    ].join('\n'),
    resolveDir: root,
  },
})

const bridgeProgram: BundleSource = {
  stdin: {
    contents: `
      ${startFirst}
      import { bootBridge } from './bridge/process/boot-bridge.ts'
      startProcess(bootBridge, async () => undefined)`,
    resolveDir: root,
  },
}

/** The name of the program that hosts all functions of a provider. */
export const compactName = (provider: string): string => `${provider}-compact`

/**
 * The programs of this repository: each function, all functions of each provider, the bridge, the webhooks, and the
 * bridge with the functions that it starts (the seed process).
 */
export const findPrograms = async (): Promise<readonly Program[]> => {
  const functions = await findFunctions()
  const webhooks = await findWebhooks()
  const sampled = await Promise.all(
    functions.map(async definition => ({
      definition,
      file: definition.file,
      sample: await sampleOf(definition),
    })),
  )
  const byProvider = Map.groupBy(sampled, ({ file }) => providerOf(file))
  const compact = [...byProvider].map(([provider, own]) => {
    const name = compactName(provider)
    return { name, source: compactProgram(name, own) }
  })
  return [
    ...sampled.map(({ definition, file, sample }) => ({
      name: definition.name,
      source: functionProgram(file, sample),
      definition,
    })),
    ...compact,
    { name: 'bridge', source: bridgeProgram },
    { name: 'webhook', source: webhookProgram(webhooks.map(({ file }) => file)) },
    { name: 'seed', source: bridgeProgram, starts: compact },
  ]
}

const providerOf = (file: string): string => basename(dirname(dirname(file)))
