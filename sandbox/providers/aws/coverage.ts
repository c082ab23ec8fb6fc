import { accountRates, createServices, newAccountLimits } from './simulator/aws.ts'

const operations = (): string =>
  createServices()
    .map(({ model, handlers }) => {
      const built = Object.keys(handlers).toSorted()
      return `| \`${model.name}\` | ${model.protocol}, ${model.version} | ${built.length} of ${model.operations.size} | ${built.join(', ')} |`
    })
    .join('\n')

const rates = (): string => {
  const byRate = Map.groupBy(
    Object.entries(accountRates),
    ([, { burst, perSecond }]) => `${burst} | ${perSecond}`,
  )
  return [...byRate]
    .map(([rate, actions]) => {
      const names = actions.map(([name]) => `\`${name}\``)
      const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
      return `| ${rate} | ${names.slice(0, 3).join(', ')}${more} |`
    })
    .join('\n')
}

const quotas = (): string =>
  Object.entries(newAccountLimits)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ')

/** Returns the generated part of the page about the AWS simulator. */
export const coverage = (): string => `| service | protocol | operations | which |
|---|---|---|---|
${operations()}

Request rates with \`--throttle\` (\`rates: accountRates\`), per account and region (Route 53: per account). \`wide\`: lists without ids, filters and page size; \`instances\`: each instance of a call.

| at once | then per second | actions |
|---|---|---|
${rates()}

Quotas of EC2 with \`--quotas\` (\`ec2: { limits: newAccountLimits }\`): ${quotas()}.`
