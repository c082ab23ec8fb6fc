import type { ErrorCode } from '../shared/contract/constants.ts'
import { codeRows, type Ending, type ErrorRow, endings, errorRows } from './error-table.ts'

/** Endings of errors that a process handles without a trace in a status. */
const hiddenEndings: readonly Ending[] = ['relist', 'reconnect', 'resend later', 'unanswered', 'resend now']

const classes = [...Map.groupBy(Object.entries(errorRows), ([, { next }]) => next)].filter(
  ([next]) => !hiddenEndings.includes(next),
)

/** The page of all errors of the product, from the table of them. */
export const errorsPage = (): string => `# Errors

For operators and authors. After this page you know who must act on an error code, and what happens after each class of errors. \`make docs\` generates it from \`docs/error-table.ts\`. [The contract](contract/lifecycle.md#errors) has Gardener's rules.

## Codes

They are in \`status.lastError.codes\`. The function retries with backoff in any case. A \`Failed\` shoot waits for its user.

| code | when | who acts | example of AWS | shoot becomes \`Failed\` |
|---|---|---|---|---|
${(Object.keys(codeRows) as ErrorCode[]).map(codeLine).join('\n')}

## Classes

Any other error of an actuator is reported like the first group, with the codes that its text implies. Errors that the bridge only retries, and those of the sandbox, are only in the code.

${classes
  .map(
    ([next, rows]) =>
      `${endings[next][0]?.toUpperCase()}${endings[next].slice(1)}:${/^exit/.test(String(next)) ? namesOf(rows) : listOf(rows)}`,
  )
  .join('\n\n')}
`

type Rows = readonly (readonly [name: string, row: ErrorRow])[]

const listOf = (rows: Rows): string =>
  `\n\n${rows.map(([name, { when }]) => `- \`${name}\`: ${when}`).join('\n')}`

/** For errors whose message is the whole consequence. */
const namesOf = (rows: Rows): string => ` ${rows.map(([name]) => `\`${name}\``).join(', ')}.`

const codeLine = (code: ErrorCode): string => {
  const { when, fix, aws, failsShoot } = codeRows[code]
  const next = failsShoot ? 'yes' : 'no'
  return `| \`${code}\` | ${when} | ${fix} | ${aws === undefined ? '' : `\`${aws}\``} | ${next} |`
}
