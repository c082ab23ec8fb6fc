import type { ErrorCode } from '../shared/contract/constants.ts'
import { codeRows, endings, errorRows } from './error-table.ts'

const classes = [...Map.groupBy(Object.entries(errorRows), ([, { next }]) => next)]

export const errorsPage = (): string => `# Errors

For operators and authors: each error code in a status, each class of errors, and what happens after it. Generated from \`docs/error-table.ts\` by \`make docs\`;
tests make each step's error happen. Gardener's rules are in [the contract](contract/lifecycle.md#errors).

## Codes

In \`status.lastError.codes\`. The function retries with backoff whatever the code, until the spec changes or the shoot is \`Failed\`.

| code | when | example of AWS | gardenlet |
|---|---|---|---|
${(Object.keys(codeRows) as ErrorCode[]).map(codeLine).join('\n')}

## Classes

By what happens next. Any other error of an actuator has the first ending, with the codes that its text implies.

${classes
  .map(
    ([next, rows]) =>
      `${endings[next][0]?.toUpperCase()}${endings[next].slice(1)}:\n\n${rows.map(([name, { when }]) => `- \`${name}\`: ${when}`).join('\n')}`,
  )
  .join('\n\n')}
`

const codeLine = (code: ErrorCode): string => {
  const { when, aws, failsShoot } = codeRows[code]
  const next = failsShoot ? 'sets the shoot to `Failed`' : 'retries'
  return `| \`${code}\` | ${when} | ${aws === undefined ? '' : `\`${aws}\``} | ${next} |`
}
