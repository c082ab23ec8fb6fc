import type { ErrorCode } from '../shared/contract/constants.ts'
import { codeRows, endings, errorRows } from './error-table.ts'

/** Generates the page of all errors from their table. */
export const errorsPage = (): string => `# Errors

Made from [the table in the code](error-table.ts) by \`make docs\`; its tests let each step's error happen. What Gardener makes of an
error is in [the contract](contract/lifecycle.md#errors).

## Codes

In \`status.lastError.codes\`. The function goes on trying with backoff whatever the code, until the spec changes or the shoot is
\`Failed\`; from then on it waits for its user.

| code | when | as AWS says it | what gardenlet does |
|---|---|---|---|
${(Object.keys(codeRows) as ErrorCode[]).map(codeLine).join('\n')}

## Classes

| class | when | what happens next |
|---|---|---|
${Object.entries(errorRows)
  .map(([name, { when, next }]) => `| \`${name}\` | ${when} | ${endings[next]} |`)
  .join('\n')}

Any other error that an actuator throws is ${endings.backoff}. Its codes are those that its text earns.
`

const codeLine = (code: ErrorCode): string => {
  const { when, aws, failsShoot } = codeRows[code]
  const next = failsShoot ? 'sets the shoot to `Failed` at once' : 'goes on trying'
  return `| \`${code}\` | ${when} | ${aws === undefined ? '' : `\`${aws}\``} | ${next} |`
}
