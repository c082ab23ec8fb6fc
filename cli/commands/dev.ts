import { Command, InvalidArgumentError, Option } from 'commander'
import { profileNames } from '../../knative/choices.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { scaleOptions } from '../../sandbox/providers/scale-options.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { addCloudFlag, chosenProviders, providerOption } from '../sandbox/provider-option.ts'
import type { DevCommandOptions } from '../sandbox/run-dev.ts'

/** `trellis dev`: the whole sandbox, until Ctrl-C. */
export const devCommand = (all: readonly Provider[]): Command => {
  const titles = titlesOf(all)
  const command = new Command('dev')
    .description(
      `Start a seed on this machine: API server, bridge, broker, ${titlesOf([{ title: 'functions' }, ...all])}. Ctrl-C stops it.`,
    )
    .option('--kubernetes-port <port>', 'port of the API server (default: the system chooses)', port)
  const cloudPort = 'port of a cloud (default: the system chooses)'
  addCloudFlag(command, all, { flag: 'port', value: '<port>', text: cloudPort, parse: port })
  command
    .option(
      '--webhook-port <port>',
      'serve and register the webhooks of the project (default: no webhooks)',
      port,
    )
    .addOption(new Option('--broker <class>', 'class of the broker').choices(profileNames))
    .addOption(
      new Option('--seed-process', 'run without a broker, as in a seed without Knative').conflicts([
        'broker',
        'function',
      ]),
    )
    .option('--kubeconfig <file>', 'where to write the kubeconfig (default: a temporary file)')
    .option('--idle <seconds>', 'scale a function to zero after this time without events', seconds, 30)
    .option(
      '--function <folder...>',
      "also run the functions in these folders, in place of this project's for the same provider and kind",
    )
    .option(
      '--watch',
      'with --function: reload a changed function and reconcile its objects; apply changed files of --apply',
    )
    .option(
      '--inspect [port]',
      'with --function: open a port for a debugger, and do not scale to zero (default: the system chooses)',
      port,
    )
    .addOption(providerOption(all))
    .option('--apply <file...>', 'create or update the objects of these files when the seed is up')
    .option('--record <file>', 'record what happens into this journal, or continue it, for trellis replay')
    .option('--console-port <port>', 'port of the console (default: the system chooses)', port)
    .option('--no-console', 'start no console')
    .option('--verbose', `also print every event, request and ${titles} call`, false)
    .option(
      '--chaos [seed]',
      `make ${titles} calls fail at random; the same seed gives the same faults`,
      seed,
    )
    .addHelpText(
      'after',
      `
The settings of functions come from the environment: TRELLIS_…. With --function, a simulated cloud is started only if a
function belongs to its provider, or if its port is given.

Example:
  trellis dev --kubernetes-port 6443 --kubeconfig /tmp/seed.kubeconfig
  trellis dev --provider ${all.at(-1)?.name}
  trellis dev --function ./my-function --apply ./my-function/example.yaml --watch --record my.journal
  kubectl --kubeconfig /tmp/seed.kubeconfig get dnsrecords -A -w`,
    )
    .action(async (options: DevCommandOptions & Readonly<Record<string, unknown>>) => {
      const { runDev } = await import('../sandbox/run-dev.ts')
      await runDev(chosenProviders(all, options.provider), options)
    })
  for (const option of scaleOptions(all.map(({ title, texts: { scale } }) => ({ title, scale }))))
    command.addOption(option)
  return command
}

const port = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    throw new InvalidArgumentError('expected a port, 1 to 65535')
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
