import { type Command, InvalidArgumentError } from 'commander'

/** Adds the options that choose the cluster of a command that reads a seed. */
export const withClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('--timeout <seconds>', 'time limit for one reading', seconds, 30)

/** A day. Node's timers end at once after 24 days. */
const longest = 86_400

export const seconds = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= longest) return value
  throw new InvalidArgumentError(`expected a whole number of seconds, 1 to ${longest}`)
}
