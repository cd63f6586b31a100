import { BENCHMARKS } from './registry';

const given = process.argv.slice(2);
const names = given.filter((word) => !word.startsWith('--'));
const isJson = given.includes('--json');
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));

if (given.includes('--list')) {
  for (const { name, about } of BENCHMARKS) console.log(`${name}: ${about}`);
} else if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const result = await benchmark.run((text) => console.error(`${benchmark.name}: ${text}`));
    if (isJson) console.log(JSON.stringify(result));
    else console.log(`${result.holds ? 'holds' : 'MISSED'}  ${result.name}: ${result.value} ${result.unit} (aim ${result.aim})  ${JSON.stringify(result.details)}`);
    if (!result.holds) process.exitCode = 1;
  }
}
