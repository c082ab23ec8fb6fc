import { basename, dirname } from 'node:path'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { moduleRoot, ownModule } from '../../project/package-root.ts'
import { definitionsOf, ownProject, type Project } from '../../project/project.ts'
import type { BundleSource } from './bundle.ts'
import { exampleObjects, type Sample, sampleOf } from './sample-of.ts'

/** Imports names of a module of Trellis. */
const importOwn = (names: string, module: string): string =>
  `import { ${names} } from ${JSON.stringify(ownModule(module))}`

/** Must be first: then all reads of later modules during a snapshot are reproducible. */
const startFirst = importOwn('startProcess', 'shared/runtime/start/start-process')

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

const importEmptyCloud = importOwn('emptyCloud', 'build/images/bundle/empty-cloud')
const importIsFramework = importOwn('isFrameworkProcess', 'shared/runtime/register-if-framework')
const importWarmUp = importOwn('warmUp', 'shared/runtime/start/start')

/**
 * The program of a function's process: `functions/main.ts` with a function that is known at build time. Under the
 * command line of the functions framework, the definition registers itself and the framework serves it.
 */
export const functionProgram = (file: string, sample: Sample = []): BundleSource => ({
  stdin: {
    contents: `
      ${startFirst}
      import { definition } from ${JSON.stringify(file)}
      ${importOwn('bootFunction', 'shared/runtime/boot-function')}
      ${importIsFramework}
      ${importWarmUp}
      ${importEmptyCloud}
      if (!isFrameworkProcess()) startProcess(() => bootFunction(definition), () => warmUp(definition, ${warmUpOptions(sample)}))`,
    resolveDir: moduleRoot,
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
      importOwn('bootFunctions', 'shared/runtime/boot-functions'),
      importIsFramework,
      importWarmUp,
      importEmptyCloud,
      `const definitions = [${functions.map((_, index) => `function${index}`)}]`,
      `if (!isFrameworkProcess()) startProcess(() => bootFunctions(${JSON.stringify(name)}, definitions), async () => {`,
      // In parallel: one that waits forever does not block the others.
      `  await Promise.all([`,
      ...functions.map(({ sample = [] }, index) => `    warmUp(function${index}, ${warmUpOptions(sample)}),`),
      `  ])`,
      `})`,
    ].join('\n'),
    resolveDir: moduleRoot,
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
      importOwn('bootWebhooks', 'shared/webhooks/server/process/boot-webhooks'),
      `const definitions = [${files.map((_, index) => `webhook${index}`)}]`,
      `startProcess(() => bootWebhooks(definitions), async () => undefined)`,
    ].join('\n'),
    resolveDir: moduleRoot,
  },
})

const bridgeProgram: BundleSource = {
  stdin: {
    contents: `
      ${startFirst}
      ${importOwn('bootBridge', 'bridge/process/boot-bridge')}
      startProcess(bootBridge, async () => undefined)`,
    resolveDir: moduleRoot,
  },
}

/** The name of the program that hosts all functions of a provider. */
export const compactName = (provider: string): string => `${provider}-compact`

/**
 * Returns the programs of a project: each function, all functions of each provider, the bridge, the webhooks if there
 * are any, and the bridge with the functions that it starts (the seed process).
 *
 * @param project default: Trellis itself
 */
export const findPrograms = async (project?: Project): Promise<readonly Program[]> => {
  const chosen = project ?? (await ownProject())
  const { functions, webhooks } = await definitionsOf(chosen)
  const examples = await exampleObjects(chosen)
  const sampled = functions.map(definition => ({
    definition,
    file: definition.file,
    sample: sampleOf(definition, examples),
  }))
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
    ...(webhooks.length > 0
      ? [{ name: 'webhook', source: webhookProgram(webhooks.map(({ file }) => file)) }]
      : []),
    { name: 'seed', source: bridgeProgram, starts: compact },
  ]
}

const providerOf = (file: string): string => basename(dirname(dirname(file)))
