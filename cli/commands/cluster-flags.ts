import { type Command, InvalidArgumentError } from 'commander'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

/** Adds the options that choose the cluster of a command that reads a seed. */
export const withClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('--timeout <seconds>', 'time limit for one reading', seconds, 30)

/** Adds `-n` to a command for one shoot, whose argument then may be absent. */
export const withNamespaceFlag = (command: Command): Command =>
  command
    .argument(
      '[shoot]',
      'the namespace of the shoot in the seed (shoot--garden--rose), or its name if only one has it',
    )
    .option('-n, --namespace <name>', 'the shoot, as in trellis status')

/** Returns the shoot of the argument or of `-n`. Throws a `UsageError` for none or both. */
export const shootGiven = (shoot: string | undefined, namespace: string | undefined): string => {
  const [given, other] = [shoot, namespace].filter(name => name !== undefined)
  if (given !== undefined && other === undefined) return given
  throw new UsageError('give the name of a shoot, or --namespace')
}

/** A day. Node's timers end at once after 24 days. */
const longest = 86_400

export const seconds = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= longest) return value
  throw new InvalidArgumentError(`expected a whole number of seconds, 1 to ${longest}`)
}
