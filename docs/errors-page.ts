import type { ErrorCode } from '../shared/contract/constants.ts'
import { codeRows, type Ending, type ErrorRow, endings, errorRows, stepEndingNames } from './error-table.ts'

/** Endings of errors that an author throws or meets in a step. The messages of others are the whole consequence. */
const shownEndings: readonly Ending[] = [...stepEndingNames, 'aws call', 'repeat', 'defect', 400]

const classes = [...Map.groupBy(Object.entries(errorRows), ([, { next }]) => next)].filter(([next]) =>
  shownEndings.includes(next),
)

/** The page of all errors of the product, from the table of them. */
export const errorsPage = (): string => `# Errors

For operators and authors: who must act on an error code, and how an error ends a step. \`make docs\` generates it from \`docs/error-table.ts\`, which has all classes. [The contract](contract/lifecycle.md#errors) has Gardener's rules.

## Codes

They are in \`status.lastError.codes\`. The function retries with backoff in any case. A \`Failed\` shoot waits for its user.

| code | when | who acts | example of AWS | shoot becomes \`Failed\` |
|---|---|---|---|---|
${(Object.keys(codeRows) as ErrorCode[]).map(codeLine).join('\n')}

## Classes

Any other error of an actuator is reported like the first group, with the codes that its text implies.

${classes
  .map(([next, rows]) => `${endings[next][0]?.toUpperCase()}${endings[next].slice(1)}:${listOf(rows)}`)
  .join('\n\n')}
`

type Rows = readonly (readonly [name: string, row: ErrorRow])[]

const listOf = (rows: Rows): string =>
  `\n\n${rows.map(([name, { when }]) => `- \`${name}\`: ${when}`).join('\n')}`

const codeLine = (code: ErrorCode): string => {
  const { when, fix, aws, failsShoot } = codeRows[code]
  const next = failsShoot ? 'yes' : 'no'
  return `| \`${code}\` | ${when} | ${fix} | ${aws === undefined ? '' : `\`${aws}\``} | ${next} |`
}
