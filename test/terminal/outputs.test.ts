import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOfAuthor, repositoryRoot, repositorySources } from '../structure/repository-files.ts'

/** Files of the product that write to standard output or standard error by themselves, with the reason. */
const others: Readonly<Record<string, string>> = {
  'shared/terminal/print.ts': 'the printer',
  'shared/log/log.ts': 'the log, which escapes each line',
  'cli/commands/observe-output.ts': 'moves the cursor for --watch; showView escapes the text',
  'cli/drift/run-drift.ts': 'moves the cursor for its progress; the texts are numbers',
  'cli/act/run-account.ts': 'moves the cursor for its progress; the texts are numbers',
  'cli/upgrade/run-upgrade.ts': 'moves the cursor for its progress; the texts are numbers',
  'cli/commands/record.ts': 'the journal, as JSON',
  'cli/new/run-new.ts': 'readline, which moves the cursor; the texts are our own',
  'cli/new/print-templates.ts': 'templates, for the build',
  'cli/author/describe-function.ts': 'JSON for the process that started it',
  'cli/sandbox/start-seed-webhooks.ts': 'a log, which escapes each line',
  'sandbox/providers/aws/simulator/schemas/print-schemas.ts': 'schemas, for the build',
  'shared/kubernetes/access/exec-plugin.ts':
    'passes on the words of a plugin as kubectl does, at once: they may be a prompt',
  'cli/trellis.mjs': 'runs with a Node that is too old for the printer; the texts are our own',
}

/** A use of an output that is no question about it, as `process.stdout.columns` is. */
const writes =
  /\bprocess\[|\bconsole\.(?:log|error|warn|info|debug|table|dir)\b|process\.(?:stdout|stderr)\b(?!\.(?:columns|isTTY|on)\b)/

const isProduct = (file: string) =>
  /^(?:shared|functions|terraform-free-infra|bridge|cli|sandbox|knative)\//.test(file) &&
  !/\.test\.ts$|\/testing\/|\/templates\//.test(file) &&
  !isOfAuthor(file)

/** A question of `isColored`, and examples in comments. */
const withoutQuestions = (source: string) =>
  source.replaceAll(/isColored\(process\.stdout/g, '').replaceAll(/^ *(?:\*|\/\/).*$/gm, '')

test('each output of the product goes through the printer, or is listed with the reason why not', async () => {
  const found = await Promise.all(
    repositorySources()
      .filter(isProduct)
      .map(async file => [file, await readFile(join(repositoryRoot, file), 'utf8')] as const),
  )
  const writing = found.filter(([, source]) => writes.test(withoutQuestions(source))).map(([file]) => file)
  expect(writing.toSorted()).toEqual(Object.keys(others).toSorted())
})
