import { basename, dirname, relative } from 'node:path'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { colors } from '../../sandbox/terminal/colors.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { when } from '../../shared/lists/when.ts'
import { examplePath } from '../how-to-call.ts'
import type { Sandbox } from './start-sandbox.ts'

export interface WelcomeOptions {
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
export const welcome = (options: WelcomeOptions): string => {
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
