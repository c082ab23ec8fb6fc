import { relative } from 'node:path'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { kindNames } from '../../shared/contract/kind-names.ts'
import { print } from '../../shared/terminal/print.ts'
import { commandName } from '../how-to-call.ts'
import {
  type NewFunction,
  parseClasses,
  parseName,
  parseProjectName,
  parseTarget,
  parseType,
  rulesOf,
} from './new-arguments.ts'
import { type WrittenFunction, writeNewFunction } from './new-function.ts'
import { createQuestions, type Questions } from './questions.ts'

export interface NewCommandOptions {
  readonly function?: string
  readonly type?: string
  readonly name?: string
  readonly class?: string
  readonly secondary?: boolean
  readonly references?: boolean
  readonly dir?: string
  readonly library?: string
  readonly yes?: boolean
}

/** Writes the function of the arguments, after questions for what is missing on a terminal. */
export const runNew = async (
  given: string | undefined,
  name: string | undefined,
  options: NewCommandOptions,
): Promise<void> => {
  const { target, folder } = targetOf(given, name, options)
  const asks =
    given !== 'project' &&
    options.yes !== true &&
    process.stdin.isTTY === true &&
    process.stdout.isTTY === true
  const questions = asks ? createQuestions(process.stdin, process.stdout) : undefined
  try {
    const fn = await functionOf(target, options, questions)
    const written = await writeNewFunction(fn, {
      here: process.cwd(),
      ...(folder !== undefined && { folder }),
      ...(options.library !== undefined && { library: options.library }),
    })
    print(describe(written, rulesOf(fn), process.cwd()))
  } finally {
    questions?.close()
  }
}

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
  const role = options.secondary === true ? 'secondary' : undefined
  if (options.references && (kind !== 'Extension' || role !== undefined))
    throw new UsageError('--references is for a primary function of Extensions: trellis new acme/extension')
  return {
    ...(role !== undefined && { role }),
    ...(options.references && { references: true }),
    provider,
    kind,
    type: given.type ?? (await ask('spec.type of its objects', parseType, provider)),
    name:
      given.name ??
      (await ask(
        'name of its Knative Service',
        parseName,
        [provider, kind.toLowerCase(), ...(role === undefined ? [] : [role])].join('-'),
      )),
    classes: given.classes ?? (await ask('classes of its objects', parseClasses, usual)),
  }
}

/** The kinds that belong not only to shoots (docs/contract/kinds.md#overview). */
const usualClasses: Readonly<Partial<Record<NewFunction['kind'], string>>> = {
  BackupBucket: 'shoot,seed,garden',
  BackupEntry: 'shoot,seed,garden',
  DNSRecord: 'shoot,seed,garden',
}

const describe = ({ place, root, folder, files }: WrittenFunction, rules: string, here: string): string => {
  const wrote = `In ${root}:\n${files.map(file => `  ${file}\n`).join('')}\n`
  const page = `${place === 'clone' ? '' : 'node_modules/@trellis-gardener/trellis/'}docs/${rules}`
  const next = {
    clone: [
      `npx vitest run ${folder}`,
      'make manifests docs check',
      `npx --no trellis dev --function ${folder} --apply ${folder}/example.yaml`,
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
  return `${wrote}Next:\n${next.map(line => `  ${line}\n`).join('')}\nTODO marks the places for your code. The rules for this function: ${page}\n`
}
