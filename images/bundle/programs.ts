import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { BundleSource } from './bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** First of all: what the modules that follow read while a snapshot is made is the same each time. */
const startFirst = `import { startProcess } from './shared/runtime/start/start-process.ts'`

/** What becomes a bundle and an image of its own. */
export interface Program {
  /** Of its folder under `dist/bundles`, and of its image in a registry. */
  readonly name: string
  readonly source: BundleSource
  /** Of a program that is one function. */
  readonly definition?: FunctionDefinition
}

/** A cloud that answers nothing, in the words of the SDKs of providers: for a program that warms up. */
const refusingConnection = `{
  endpoint: 'http://127.0.0.1:9',
  requestHandler: {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async () => { throw Object.assign(new Error('refused'), { name: 'ValidationError', $metadata: {} }) },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  },
}`

/**
 * The program of a function's process: `functions/main.ts` for a function that is known when it is bundled. Under the
 * command line of the functions framework the definition registers itself, and the framework serves it.
 */
export const functionProgram = (file: string): BundleSource => ({
  stdin: {
    contents: `
      ${startFirst}
      import { definition } from ${JSON.stringify(file)}
      import { bootFunction } from './shared/runtime/boot-function.ts'
      import { isFrameworkProcess } from './shared/runtime/register-if-framework.ts'
      import { warmUp } from './shared/runtime/start/start.ts'
      if (!isFrameworkProcess()) startProcess(() => bootFunction(definition), () => warmUp(definition, ${refusingConnection}))`,
    resolveDir: root,
  },
})

/** The program of one process that hosts these functions, each at the path of its name. `name`: of the process, in logs. */
export const compactProgram = (name: string, files: readonly string[]): BundleSource => ({
  stdin: {
    contents: [
      startFirst,
      ...files.map((file, index) => `import { definition as function${index} } from ${JSON.stringify(file)}`),
      `import { bootFunctions } from './shared/runtime/boot-functions.ts'`,
      `import { warmUp } from './shared/runtime/start/start.ts'`,
      `const definitions = [${files.map((_, index) => `function${index}`)}]`,
      `startProcess(() => bootFunctions(${JSON.stringify(name)}, definitions), async () => {`,
      `  for (const definition of definitions) await warmUp(definition, ${refusingConnection})`,
      `})`,
    ].join('\n'),
    resolveDir: root,
  },
})

/** The program of the process that serves these admission functions: `webhook/main.ts` for those that are known when it is bundled. */
export const webhookProgram = (files: readonly string[]): BundleSource => ({
  stdin: {
    contents: [
      startFirst,
      ...files.map((file, index) => `import { definition as webhook${index} } from ${JSON.stringify(file)}`),
      `import { bootWebhooks } from './webhook/process/boot-webhooks.ts'`,
      `const definitions = [${files.map((_, index) => `webhook${index}`)}]`,
      `startProcess(() => bootWebhooks(definitions), async () => undefined)`,
    ].join('\n'),
    resolveDir: root,
  },
})

/** The program of the bridge: `bridge/main.ts`. */
export const bridgeProgram: BundleSource = {
  stdin: {
    contents: `
      ${startFirst}
      import { bootBridge } from './bridge/process/boot-bridge.ts'
      startProcess(bootBridge, async () => undefined)`,
    resolveDir: root,
  },
}

/** What reads kubeconfigs: a file beside each program, which only a process that is given one loads. */
export const kubeconfigReader: BundleSource = { entryPoints: ['shared/kubernetes/access/read-kubeconfig.ts'] }

/** The name of the program that hosts all functions of a provider. */
export const compactName = (provider: string): string => `${provider}-compact`

/** The programs of this repository: each function, all functions of each provider, the bridge, the webhooks. */
export const findPrograms = async (): Promise<readonly Program[]> => {
  const functions = await findFunctions()
  const webhooks = await findWebhooks()
  const byProvider = Map.groupBy(functions, ({ file }) => providerOf(file))
  return [
    ...functions.map(definition => ({
      name: definition.name,
      source: functionProgram(definition.file),
      definition,
    })),
    ...[...byProvider].map(([provider, own]) => {
      const name = compactName(provider)
      const files = own.map(({ file }) => file)
      return { name, source: compactProgram(name, files) }
    }),
    { name: 'bridge', source: bridgeProgram },
    { name: 'webhook', source: webhookProgram(webhooks.map(({ file }) => file)) },
  ]
}

/** The folder of a provider, by the file of one of its functions. */
const providerOf = (file: string): string => basename(dirname(dirname(file)))
