import { relative } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import { commandName } from '../how-to-call.ts'
import {
  type NewFunction,
  parseClasses,
  parseName,
  parseProjectName,
  parseTarget,
  parseType,
} from '../new/new-arguments.ts'
import type { WrittenFunction } from '../new/new-function.ts'
import { createQuestions, type Questions } from '../new/questions.ts'

interface NewCommandOptions {
  readonly function?: string
  readonly type?: string
  readonly name?: string
  readonly class?: string
  readonly dir?: string
  readonly library?: string
  readonly yes?: boolean
}

/**
 * `trellis new PROVIDER/KIND`: creates a working function as a starting point. `trellis new project NAME`: a repository
 * around one.
 */
export const newCommand = (): Command =>
  new Command('new')
    .description(
      'Write a function with its test, example and event: next to the other functions of a clone or project, or in an empty folder ' +
        'as a new project with CI workflow and Makefile. The new function passes its checks and runs at once, without a cloud. On a ' +
        'terminal, the command asks for missing arguments.',
    )
    .argument('[PROVIDER/KIND]', `such as acme/dnsrecord; the kinds are ${kindNames.join(', ')}. Or: project`)
    .argument('[NAME]', 'of a project: creates its folder, with the function NAME/dnsrecord')
    .option('--function <provider/kind>', 'the function of a new project (default: NAME/dnsrecord)')
    .option('--type <type>', 'spec.type of its objects (default: the provider)')
    .option('--name <name>', 'of its Knative Service (default: <provider>-<kind>)')
    .option(
      '--class <classes>',
      'classes: shoot, seed and garden, separated by commas (default: the classes of the kind)',
    )
    .option(
      '--dir <folder>',
      'target folder (default: the working directory, or the clone or project around it)',
    )
    .option(
      '--library <source>',
      'the library that a new project installs (default: the one that this command was installed from)',
    )
    .option('--yes', 'ask nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  trellis new project acme\n  trellis new acme/dnsrecord --type acme-dns --yes',
    )
    .action(async (given: string | undefined, name: string | undefined, options: NewCommandOptions) => {
      const { target, folder } = targetOf(given, name, options)
      const asks =
        given !== 'project' &&
        options.yes !== true &&
        process.stdin.isTTY === true &&
        process.stdout.isTTY === true
      const questions = asks ? createQuestions(process.stdin, process.stdout) : undefined
      try {
        const fn = await functionOf(target, options, questions)
        const { writeNewFunction } = await import('../new/new-function.ts')
        const written = await writeNewFunction(fn, {
          here: process.cwd(),
          ...(folder !== undefined && { folder }),
          ...(options.library !== undefined && { library: options.library }),
        })
        process.stdout.write(describe(written, process.cwd()))
      } finally {
        questions?.close()
      }
    })

/** Returns the function and the folder: those of a project are derived from its name. Throws a `UsageError`. */
const targetOf = (
  given: string | undefined,
  name: string | undefined,
  { dir, function: asked }: NewCommandOptions,
): { readonly target: string | undefined; readonly folder: string | undefined } => {
  if (given === 'project') {
    if (name === undefined) throw new UsageError('give the project a name: trellis new project acme')
    return { target: asked ?? `${parseProjectName(name)}/dnsrecord`, folder: dir ?? parseProjectName(name) }
  }
  if (name !== undefined)
    throw new UsageError(
      `unexpected argument ${name}. A project is created with: trellis new project ${name}`,
    )
  if (asked !== undefined) throw new UsageError('--function is for a project: trellis new project NAME')
  return { target: given, folder: dir }
}

/** Returns the complete input; asks for missing parts if the terminal is interactive. Throws a `UsageError`. */
const functionOf = async (
  target: string | undefined,
  options: NewCommandOptions,
  questions: Questions | undefined,
): Promise<NewFunction> => {
  if (target === undefined && questions === undefined)
    throw new UsageError('give the function: trellis new PROVIDER/KIND, such as trellis new acme/dnsrecord')
  const { provider, kind } =
    target !== undefined || questions === undefined
      ? parseTarget(target ?? '')
      : await questions.ask(`PROVIDER/KIND; the kinds are ${kindNames.join(', ')}`, parseTarget)
  // Checks the given options before asking for others.
  const given = {
    type: options.type === undefined ? undefined : parseType(options.type),
    name: options.name === undefined ? undefined : parseName(options.name),
    classes: options.class === undefined ? undefined : parseClasses(options.class),
  }
  const ask = <T>(question: string, parse: (text: string) => T, usual: string) =>
    questions === undefined ? parse(usual) : questions.ask(question, parse, usual)
  const usual = usualClasses[kind] ?? 'shoot'
  return {
    provider,
    kind,
    type: given.type ?? (await ask('spec.type of its objects', parseType, provider)),
    name:
      given.name ??
      (await ask('name of its Knative Service', parseName, `${provider}-${kind.toLowerCase()}`)),
    classes: given.classes ?? (await ask('classes of its objects', parseClasses, usual)),
  }
}

/** The kinds that belong not only to shoots (docs/contract/kinds.md#overview). */
const usualClasses: Readonly<Partial<Record<NewFunction['kind'], string>>> = {
  BackupBucket: 'shoot,seed,garden',
  BackupEntry: 'shoot,seed,garden',
  DNSRecord: 'shoot,seed,garden',
}

const describe = ({ place, root, folder, files }: WrittenFunction, here: string): string => {
  const wrote = `In ${root}:\n${files.map(file => `  ${file}\n`).join('')}\n`
  const page = `${place === 'clone' ? '' : 'node_modules/@trellis-gardener/trellis/'}docs/kinds/${folder.split('/').at(-1)}.md`
  const next = {
    clone: [
      `npx vitest run ${folder}`,
      'make manifests docs check',
      `npx trellis dev --function ${folder} --apply ${folder}/example.yaml`,
    ],
    project: [
      `node --test '${folder}/*.test.ts'`,
      `${commandName()} dev --function ${folder} --apply ${folder}/example.yaml`,
    ],
    empty: [
      ...(root === here ? [] : [`cd ${relative(here, root)}`]),
      ...['npm install', 'npm run dev', 'npm test'],
    ],
  }[place]
  return `${wrote}Next:\n${next.map(line => `  ${line}\n`).join('')}\nTODO marks the places for the cloud's calls. gardenlet's rules for this kind: ${page}\n`
}
