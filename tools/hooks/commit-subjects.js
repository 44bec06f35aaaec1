// Fails for commit subjects of more than 50 characters: that of the file of a message, or those of all commits since `first`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const first = 'f6f99e797f0ce576fda19ce73d62fbdc7ab73cd0'; // the subjects up to here stay
const [file] = process.argv.slice(2);
// A shallow clone lacks `first`, and a tarball all commits.
const log = ['log', '--no-merges', '--format=%s', '--ignore-missing', 'HEAD', `^${first}`];
const subjects = () => (existsSync('.git') ? execFileSync('git', log, { encoding: 'utf8' }).split('\n') : []);
const subjectIn = (message) => message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
const checked = file ? [subjectIn(readFileSync(file, 'utf8'))] : subjects();
// In a shallow clone, a merge commit may have no parents.
for (const subject of checked.filter((each) => each.length > 50 && !each.startsWith('Merge '))) {
  console.error(`The subject has ${subject.length} characters. Shorten it to at most 50: ${subject}`);
  process.exitCode = 1;
}
