import { Command, InvalidArgumentError, Option } from 'commander'
import { profileNames } from '../../knative/choices.ts'
import { flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { scaleOptions } from '../../sandbox/providers/scale-options.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { chosenProviders, providerOption } from '../sandbox/provider-option.ts'
import type { DevCommandOptions } from '../sandbox/run-dev.ts'

/** `trellis dev`: the whole sandbox, until Ctrl-C. */
export const devCommand = (all: readonly Provider[]): Command => {
  const titles = titlesOf(all)
  const command = new Command('dev')
    .description(
      `Start a seed on this machine: API server, bridge, broker, ${titlesOf([{ title: 'functions' }, ...all])}. Ctrl-C stops it.`,
    )
    .option('--kubernetes-port <port>', 'port of the API server (default: the system chooses)', port)
  for (const provider of all) {
    const about = `port of ${provider.title} (default: the system chooses)`
    command.option(`${flagsOf(provider).port} <port>`, about, port)
  }
  command
    .option(
      '--webhook-port <port>',
      'serve the webhooks of the project at this port and register them in the API server (default: no webhooks)',
      port,
    )
    .addOption(
      new Option('--broker <class>', 'class of the broker, with the manifests of knative/profiles').choices(
        profileNames,
      ),
    )
    .addOption(
      new Option(
        '--seed-process',
        'run the functions beside the bridge and without a broker, as in a seed without Knative',
      ).conflicts(['broker', 'function']),
    )
    .option('--kubeconfig <file>', 'where to write the kubeconfig (default: a temporary file)')
    .option('--idle <seconds>', 'scale a function to zero after this time without events', seconds, 30)
    .option(
      '--function <folder...>',
      "also run the functions of these folders: a folder with a function.ts, or with subfolders that have one. Such a function replaces this project's function of the same provider and kind",
    )
    .option(
      '--watch',
      'with --function: reload a function when its file or an imported file changes, then request a reconciliation of every object of its kind, types and classes, as gardenlet does. Objects that were migrated away are excluded. Files of --apply are applied again when they change',
    )
    .option(
      '--inspect [port]',
      'with --function: start its process with the inspector of Node.js and print the address for a debugger; further functions have the next ports. The process does not scale to zero (default: the system chooses the port)',
      port,
    )
    .addOption(providerOption(all))
    .option('--apply <file...>', 'create or update the objects of these files when the seed is up')
    .option(
      '--record <file>',
      'record what happens into this journal, for trellis replay: objects, events, and steps with their calls; a journal is continued',
    )
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
While a function's file cannot be loaded, its events wait in the broker and everything else continues. The output of its
process is printed. Its settings come from the environment: TRELLIS_…. With --function, a simulated cloud is started only
if a function belongs to its provider, or if its port is given.

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
