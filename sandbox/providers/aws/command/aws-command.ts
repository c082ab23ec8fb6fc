import { Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../../../shared/clock/clock.ts'
import { releaseAtRest } from '../../../../shared/memory/release-at-rest.ts'
import { print } from '../../../../shared/terminal/print.ts'
import { interrupted } from '../../../terminal/interrupted.ts'
import { type ScaleOptions, type ScaleText, scaleOf, scaleOptions } from '../../scale-options.ts'
import { callLine, welcome } from './printed-lines.ts'
import { loadSmall, staySmall } from './small-memory.ts'

interface Options extends ScaleOptions {
  readonly port: number
  readonly region: string
  readonly account: string
  readonly throttle: boolean
  readonly quotas: boolean
  readonly calls: number
  readonly snapshot?: string
  readonly verbose: boolean
}

/** `trellis aws`: the AWS simulator alone, until Ctrl-C. */
export const awsCommand = (scaleText: ScaleText): Command => {
  const command = new Command('aws')
    .description(
      'Start a simulated AWS on 127.0.0.1 for aws-cli and any SDK: EC2, IAM, Route 53, S3, ELB, EFS and STS, with state transitions, errors and limits. Ctrl-C stops it.',
    )
    .option('--port <port>', 'port to listen on; 0 lets the system choose', port, 0)
    .option(
      '--region <region>',
      'region in the printed commands; all regions of AWS are available',
      region,
      'eu-west-1',
    )
    .option('--account <number>', 'account of all callers, 12 digits', account, '123456789012')
    .option('--throttle', "throttle calls above AWS's request rates", false)
    .option('--quotas', 'enforce the quotas of a new account', false)
    .option('--calls <number>', 'number of calls that /_trellis/calls retains', count, 2_000)
    .option('--snapshot <file>', 'load the account from this file if it exists, and save it there at the end')
    .option('--verbose', 'print a line for each call', false)
    .addHelpText(
      'after',
      '\nExample:\n  trellis aws --port 4566\n  aws --endpoint-url http://127.0.0.1:4566 --region eu-west-1 ec2 create-vpc --cidr-block 10.0.0.0/16',
    )
    .action(async (options: Options) => {
      loadSmall()
      const { startAws } = await import('./start-aws.ts')
      const running = await startAws({ ...options, scale: scaleOf(options), loggedCalls: options.calls })
      if (options.verbose) running.aws.calls.onCall(call => print(callLine(call)))
      print(welcome(running.url, options.region, running.account))
      staySmall()
      const memory = releaseAtRest({ worthIt: 1_000, restMs: 2_000, clock: systemClock })
      running.aws.calls.onCall(() => memory.work())
      await interrupted()
      memory.stop()
      await running.close()
    })
  for (const option of scaleOptions([scaleText])) command.addOption(option)
  return command
}

const port = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('expected a port, 0 to 65535')
  return value
}

const region = (text: string): string => {
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(text)) {
    throw new InvalidArgumentError('expected a region, like eu-west-1')
  }
  return text
}

const account = (text: string): string => {
  if (!/^\d{12}$/.test(text)) throw new InvalidArgumentError('expected 12 digits')
  return text
}

const count = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1) throw new InvalidArgumentError('expected a number, 1 or more')
  return value
}
