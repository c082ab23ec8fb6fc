import { Command, InvalidArgumentError } from 'commander'
import colors from 'picocolors'
import { systemClock } from '../../shared/clock/clock.ts'
import { interrupted } from '../interrupted.ts'
import { createPrinter } from '../narration/printer.ts'
import { createSentences } from '../narration/sentence.ts'
import { writeKubeconfig } from '../sandbox/kubeconfig-file.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'

interface Options {
  readonly kubernetesPort?: number
  readonly awsPort?: number
  readonly kubeconfig?: string
  readonly idle: number
}

/** `trellis dev`: the whole sandbox, until Ctrl-C. */
export const devCommand = (): Command =>
  new Command('dev')
    .description(
      'Start a seed on this machine: API server, bridge, broker, functions and AWS. Ctrl-C ends it.',
    )
    .option('--kubernetes-port <port>', 'port of the API server (default: the system chooses)', port)
    .option('--aws-port <port>', 'port of AWS (default: the system chooses)', port)
    .option('--kubeconfig <file>', 'where to write the kubeconfig (default: a temporary file)')
    .option('--idle <seconds>', 'a function without events for so long scales to zero', seconds, 30)
    .addHelpText(
      'after',
      '\nExample:\n  trellis dev --kubernetes-port 6443 --kubeconfig /tmp/seed.kubeconfig\n  kubectl --kubeconfig /tmp/seed.kubeconfig get dnsrecords -A -w',
    )
    .action(async (options: Options) => {
      const printer = createPrinter(systemClock, text => process.stdout.write(text))
      const sentenceOf = createSentences()
      const sandbox = await startSandbox({
        ...(options.kubernetesPort === undefined ? {} : { kubernetesPort: options.kubernetesPort }),
        ...(options.awsPort === undefined ? {} : { awsPort: options.awsPort }),
        idleMs: options.idle * 1000,
        observe: event => {
          const sentence = sentenceOf(event)
          if (sentence !== undefined) printer.sentence(sentence)
        },
      })
      try {
        const kubeconfig = await writeKubeconfig(sandbox.kubeconfig, options.kubeconfig)
        printer.line(welcome(sandbox, kubeconfig.path))
        await interrupted()
        printer.line('\nEnding the sandbox.')
        await kubeconfig.remove()
      } finally {
        await sandbox.close()
      }
    })

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
