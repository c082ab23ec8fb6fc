import { randomInt } from 'node:crypto'
import { basename, dirname, relative } from 'node:path'
import type { BrokerName } from '../../sandbox/knative/knative.ts'
import { createSentences } from '../../sandbox/narration/sentence.ts'
import { attributeOf, flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { type ScaleOptions, scaleOf } from '../../sandbox/providers/scale-options.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { hasCloud, providerOf } from '../../sandbox/seed/seed.ts'
import { colors } from '../../sandbox/terminal/colors.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import { print } from '../../shared/terminal/print.ts'
import type { AuthorFunctions } from '../author/author-functions.ts'
import { followExamples } from '../author/follow-examples.ts'
import { givenFiles } from '../author/given-files.ts'
import { describeFiles, ownFunctions, serveAuthorFunctions } from '../author/serve-author-functions.ts'
import { type ConsoleServer, openSeed } from '../console/console.ts'
import { examplePath } from '../how-to-call.ts'
import { detailOf } from '../narration/detail.ts'
import { createHints } from '../narration/hint.ts'
import { createPrinter } from '../narration/printer.ts'
import { readObjects } from '../plan/read-objects.ts'
import { applyObjects } from './apply-objects.ts'
import { runChaos } from './chaos.ts'
import { writeKubeconfig } from './kubeconfig-file.ts'
import { type Sandbox, startSandbox } from './start-sandbox.ts'

export interface DevCommandOptions extends ScaleOptions {
  readonly kubernetesPort?: number
  readonly webhookPort?: number
  readonly broker?: BrokerName
  readonly seedProcess?: boolean
  readonly kubeconfig?: string
  readonly idle: number
  readonly verbose: boolean
  readonly function?: readonly string[]
  readonly provider?: readonly string[]
  readonly watch?: boolean
  readonly inspect?: number | true
  readonly record?: string
  readonly apply?: readonly string[]
  readonly chaos?: number | true
  readonly console: boolean
  readonly consolePort?: number
}

/** Runs a sandbox until Ctrl-C. @param all every provider */
export const runDev = async (
  all: readonly Provider[],
  options: DevCommandOptions & Readonly<Record<string, unknown>>,
): Promise<void> => {
  const titles = titlesOf(all)
  const printer = createPrinter(systemClock, print, () => process.stdout.columns)
  const sentenceOf = createSentences()
  const hintOf = createHints()
  if (options.watch && options.function === undefined)
    throw new UsageError('--watch needs --function: it watches the files of those functions')
  if (options.inspect !== undefined && options.function === undefined)
    throw new UsageError('--inspect needs --function: it debugs the processes of those functions')
  const files = givenFiles(options.function ?? [])
  const used = files.length === 0 ? all : all.filter(isUsed(files, options))
  const given = (
    await Promise.all((options.apply ?? []).map(file => readObjects(file, process.stdin)))
  ).flat()
  const record = options.record === undefined ? undefined : await recordAt(options.record)
  const described = await describeFiles(files)
  const sandbox = await startSandbox({
    providers: used,
    health: [...described.byFile.values()].flatMap(one => ('health' in one ? one.health : [])),
    ...(files.length > 0 && { functions: await ownFunctions(files) }),
    ...(options.kubernetesPort === undefined ? {} : { kubernetesPort: options.kubernetesPort }),
    cloudPorts: portsOf(options, used),
    ...(options.broker && { broker: options.broker }),
    ...(options.seedProcess && { seedProcess: {} }),
    // A debugger would lose a process that scales to zero.
    idleMs: (options.inspect === undefined ? options.idle : dayInSeconds) * 1000,
    scale: scaleOf(options),
    observe: event => {
      const detail = options.verbose ? detailOf(event) : undefined
      for (const sentence of [detail, sentenceOf(event), hintOf(event)])
        if (sentence !== undefined) printer.sentence(sentence)
    },
  })
  record?.start(sandbox)
  const ended = new AbortController()
  let page: ConsoleServer | undefined
  let webhooks: { readonly close: () => Promise<void> } | undefined
  let authors: AuthorFunctions | undefined
  let examples: { readonly close: () => void } | undefined
  try {
    if (options.webhookPort !== undefined) {
      const { findProject } = await import('../project/find-project.ts')
      const { startSeedWebhooks } = await import('./start-seed-webhooks.ts')
      const { functions } = await findProject(process.cwd())
      webhooks = await startSeedWebhooks(sandbox.kubernetes, options.webhookPort, functions)
    }
    const kubeconfig = await writeKubeconfig(sandbox.kubeconfig, options.kubeconfig)
    const [endpoint] = Object.values(sandbox.cloudUrls)
    if (options.console)
      page = await openSeed({
        kubeconfig: kubeconfig.path,
        bridge: sandbox.bridgeUrl,
        port: options.consolePort ?? 0,
        plan: true,
        ...(endpoint !== undefined && { endpoint }),
        providers: used,
        clock: systemClock,
        env: process.env,
      })
    printer.line(
      welcome({
        providers: used,
        sandbox,
        kubeconfig: kubeconfig.path,
        webhookPort: options.webhookPort,
        consoleUrl: page?.url,
        files,
        isApplied: given.length > 0,
      }),
    )
    if (options.chaos !== undefined) {
      const chosen = options.chaos === true ? randomInt(1_000_000) : options.chaos
      const about = `faults of ${titles} from seed ${chosen}; repeat them with --chaos ${chosen}`
      printer.sentence({ part: 'chaos', text: about, tone: 'hint' })
      const printFault = (text: string) => printer.sentence({ part: 'chaos', text, tone: 'hint' })
      for (const { fault, callCount } of Object.values(sandbox.clouds))
        runChaos(
          { seed: chosen, faultBy: fault, calls: callCount, clock: systemClock, print: printFault },
          ended.signal,
        )
    }
    if (files.length > 0)
      authors = await serveAuthorFunctions({
        ...{ files, described, sandbox },
        providers: used,
        scale: scaleOf(options),
        kubeconfig: kubeconfig.path,
        isWatched: options.watch ?? false,
        ...(options.inspect !== undefined && { inspect: options.inspect === true ? 0 : options.inspect }),
        isVerbose: options.verbose,
        env: process.env,
        print: printer.sentence,
      })
    const apply = (objects: readonly KubernetesObject[]) =>
      applyObjects(objects, { kubernetes: sandbox.kubernetes, url: sandbox.kubernetesUrl })
    await apply(given)
    if (options.watch)
      examples = followExamples({
        files: (options.apply ?? []).filter(file => file !== '-'),
        clock: systemClock,
        read: file => readObjects(file, process.stdin),
        apply,
        print: (text, tone) => printer.sentence({ part: 'kubernetes', text, tone }),
      })
    await interrupted()
    printer.line('\nStopping the sandbox.')
    await kubeconfig.remove()
  } finally {
    ended.abort()
    authors?.close()
    examples?.close()
    await page?.close()
    await webhooks?.close()
    const recorded = record?.close()
    // Both end, whatever happens to the other.
    recorded?.catch(() => {})
    await sandbox.close()
    for (const line of (await recorded) ?? []) printer.line(line)
  }
}

/** The idle time of an inspected function, in seconds. */
const dayInSeconds = 86_400

/** Returns true for a provider with one of the functions, or with a given port. */
const isUsed =
  (files: readonly string[], options: Readonly<Record<string, unknown>>) =>
  (provider: Provider): boolean =>
    options[attributeOf(flagsOf(provider).port)] !== undefined ||
    files.some(file => hasCloud({ file }) && providerOf({ file }) === provider.name)

/** Loaded only here, because most sandboxes are not recorded. */
const recordAt = async (path: string) => {
  const { openSandboxRecord } = await import('../record/record-sandbox.ts')
  return openSandboxRecord(path)
}

const portsOf = (
  options: Readonly<Record<string, unknown>>,
  providers: readonly Provider[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    providers.flatMap(provider => {
      const value = options[attributeOf(flagsOf(provider).port)]
      return typeof value === 'number' ? [[provider.name, value] as const] : []
    }),
  )

interface WelcomeOptions {
  /** The providers whose simulated clouds run. */
  readonly providers: readonly Provider[]
  readonly sandbox: Pick<Sandbox, 'kubernetesUrl' | 'bridgeUrl' | 'cloudUrls'>
  /** The path of its kubeconfig. */
  readonly kubeconfig: string
  readonly webhookPort: number | undefined
  readonly consoleUrl: string | undefined
  /** The files of an author's functions. */
  readonly files: readonly string[]
  /** True if the author's example is applied. */
  readonly isApplied: boolean
}

/** Returns the first lines of `trellis dev`: addresses, and commands to try. */
const welcome = (options: WelcomeOptions): string => {
  const { providers, sandbox, kubeconfig, webhookPort, consoleUrl, files } = options
  const clouds = providers.map(({ name, title, texts }) => {
    const url = sandbox.cloudUrls[name] ?? ''
    return { title, url, ...texts.welcome(url) }
  })
  const places = [
    ['Kubernetes', sandbox.kubernetesUrl, `kubeconfig: ${kubeconfig}`],
    ['Bridge', sandbox.bridgeUrl, 'its events and steps: /journal'],
    ...clouds.map(({ title, url, about }) => [title, url, about]),
    ...(consoleUrl === undefined ? [] : [['Console', consoleUrl, 'shows the seed on a page']]),
    ...when(webhookPort !== undefined, [
      'Webhooks',
      `https://127.0.0.1:${webhookPort}`,
      'registered: kubectl get mutatingwebhookconfigurations',
    ]),
  ]
  const commands = [
    `export KUBECONFIG=${kubeconfig}`,
    ...(files.length > 0 ? authorCommands(options) : exampleCommands(webhookPort)),
    ...clouds.flatMap(({ lines }) => lines),
  ]
  return `
${colors.bold('A seed on this machine.')} Ctrl-C stops it.

${places.map(([title = '', url = '', about = '']) => `  ${title.padEnd(10)}  ${url}   ${about}\n`).join('')}
Try, in another terminal:

${commands.map(line => `  ${line}\n`).join('')}
What happens:
`
}

const exampleCommands = (webhookPort: number | undefined): readonly string[] => [
  `kubectl apply -f ${examplePath('dnsrecord/shoot.yaml')} -f ${examplePath('dnsrecord/zone-records.yaml')}`,
  `kubectl apply -f ${examplePath('infrastructure/one-zone.yaml')}`,
  'kubectl get dnsrecords,infrastructures -A',
  ...(webhookPort === undefined ? [] : [`kubectl apply -f ${examplePath('webhooks/shoot.yaml')}`]),
]

/** The kinds follow from the folders, because the files are not loaded yet. */
const authorCommands = ({ files, isApplied }: WelcomeOptions): readonly string[] => {
  const folders = files.map(file => dirname(file))
  const plurals = Object.values(kinds)
    .filter(({ kind }) => folders.some(folder => basename(folder) === kind.toLowerCase()))
    .map(({ plural }) => plural)
  return [
    ...(isApplied ? [] : folders.map(folder => `kubectl apply -f ${relative('', folder)}/example.yaml`)),
    ...(plurals.length === 0 ? [] : [`kubectl get ${plurals.join(',')} -A --watch`]),
  ]
}
