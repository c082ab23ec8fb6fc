import { randomInt } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../shared/clock/clock.ts'
import { colors } from '../colors.ts'
import { interrupted } from '../interrupted.ts'
import { detailOf } from '../narration/detail.ts'
import { createHints } from '../narration/hint.ts'
import { createPrinter } from '../narration/printer.ts'
import { createSentences } from '../narration/sentence.ts'
import { runChaos } from '../sandbox/chaos.ts'
import { writeKubeconfig } from '../sandbox/kubeconfig-file.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'
import { type ScaleOptions, scaleOf, scaleOptions } from './scale-options.ts'

interface Options extends ScaleOptions {
  readonly kubernetesPort?: number
  readonly awsPort?: number
  readonly kubeconfig?: string
  readonly idle: number
  readonly verbose: boolean
  readonly chaos?: number | true
}

/** `trellis dev`: the whole sandbox, until Ctrl-C. */
export const devCommand = (): Command => {
  const command = new Command('dev')
    .description(
      'Start a seed on this machine: API server, bridge, broker, functions and AWS. Ctrl-C ends it.',
    )
    .option('--kubernetes-port <port>', 'port of the API server (default: the system chooses)', port)
    .option('--aws-port <port>', 'port of AWS (default: the system chooses)', port)
    .option('--kubeconfig <file>', 'where to write the kubeconfig (default: a temporary file)')
    .option('--idle <seconds>', 'a function without events for so long scales to zero', seconds, 30)
    .option('--verbose', 'print also every event, request and AWS call', false)
    .option(
      '--chaos [seed]',
      'let AWS fail now and then, by chance; the same seed gives the same faults',
      seed,
    )
    .addHelpText(
      'after',
      '\nExample:\n  trellis dev --kubernetes-port 6443 --kubeconfig /tmp/seed.kubeconfig\n  kubectl --kubeconfig /tmp/seed.kubeconfig get dnsrecords -A -w',
    )
    .action(async (options: Options) => {
      const printer = createPrinter(systemClock, text => process.stdout.write(text))
      const sentenceOf = createSentences()
      const hintOf = createHints()
      const sandbox = await startSandbox({
        ...(options.kubernetesPort === undefined ? {} : { kubernetesPort: options.kubernetesPort }),
        ...(options.awsPort === undefined ? {} : { awsPort: options.awsPort }),
        idleMs: options.idle * 1000,
        scale: scaleOf(options),
        observe: event => {
          const detail = options.verbose ? detailOf(event) : undefined
          for (const sentence of [detail, sentenceOf(event), hintOf(event)])
            if (sentence !== undefined) printer.sentence(sentence)
        },
      })
      const ended = new AbortController()
      try {
        const kubeconfig = await writeKubeconfig(sandbox.kubeconfig, options.kubeconfig)
        printer.line(welcome(sandbox, kubeconfig.path))
        if (options.chaos !== undefined) {
          const chosen = options.chaos === true ? randomInt(1_000_000) : options.chaos
          const about = `faults of AWS by seed ${chosen}; the same ones again with --chaos ${chosen}`
          printer.sentence({ part: 'chaos', text: about, tone: 'hint' })
          const tell = (text: string) => printer.sentence({ part: 'chaos', text, tone: 'hint' })
          const { faults, calls } = sandbox.aws
          const count = () => calls.all().length + calls.dropped()
          runChaos({ seed: chosen, faults, calls: count, clock: systemClock, tell }, ended.signal)
        }
        await interrupted()
        printer.line('\nEnding the sandbox.')
        await kubeconfig.remove()
      } finally {
        ended.abort()
        await sandbox.close()
      }
    })
  for (const option of scaleOptions()) command.addOption(option)
  return command
}

const welcome = ({ kubernetesUrl, awsUrl, zone }: Sandbox, kubeconfig: string): string => `
${colors.bold('A seed on this machine.')} Ctrl-C ends it.

  Kubernetes  ${kubernetesUrl}   kubeconfig: ${kubeconfig}
  AWS         ${awsUrl}   any credentials; owns the hosted zone ${zone.name} (${zone.id})

Try, in another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl apply -f examples/dnsrecord/shoot.yaml -f examples/dnsrecord/records.yaml
  kubectl apply -f examples/infrastructure/one-zone.yaml
  kubectl get dnsrecords,infrastructures -A

  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=eu-west-1
  aws --endpoint-url ${awsUrl} route53 list-resource-record-sets --hosted-zone-id ${zone.id}
  aws --endpoint-url ${awsUrl} ec2 describe-vpcs

What happens:
`

const port = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new InvalidArgumentError('expected a port, 1 to 65535')
  }
  return value
}

const seconds = (text: string): number => {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('expected a number of seconds above 0')
  return value
}

const seed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a number of up to 9 digits')
  return Number(text)
}
