import { copy } from './docs-copy.js';
import { baseOf, LANGUAGES, sampleRequest } from './docs-samples.js';

/** The language that was chosen last, for all operations and the next visit. */
const CHOICE = 'petstore.docs.language';

/** The address of the client's package, as the page names it. */
function clientPackage() {
  const { clientPackage: path } = document.getElementById('swagger-ui').dataset;
  return new URL(path, document.baseURI).href;
}

/** Shows how to call an operation from a program, with what its form says now. */
export function codeSamples({ React, specSelectors, oas3Selectors, getComponent }) {
  const element = React.createElement;

  function CodeSamples({ path, method }) {
    const [language, choose] = React.useState(() => localStorage.getItem(CHOICE) ?? LANGUAGES[0].name);
    const [said, say] = React.useState('');
    const spec = specSelectors.specJson().toJS();
    const request = sampleRequest(
      spec,
      path,
      method,
      baseOf(spec, path, { specSelectors, oas3Selectors }),
      clientPackage(),
      {
        values: specSelectors.parameterValues([path, method]).toJS(),
        body: oas3Selectors.requestBodyValue(path, method),
      },
    );
    if (!request) return null;
    const samples = LANGUAGES.map(({ write, ...rest }) => ({ ...rest, code: write(request) })).filter(
      ({ code }) => code !== undefined,
    );
    const { name: shown, code, syntax } = samples.find(({ name }) => name === language) ?? samples[0];
    const choice = ({ name }) =>
      element(
        'button',
        {
          key: name,
          'aria-pressed': name === shown,
          onClick: () => {
            localStorage.setItem(CHOICE, name);
            choose(name);
            say('');
          },
        },
        name,
      );
    return element(
      'div',
      { className: 'samples' },
      element('h4', { className: 'unseen' }, 'Code'),
      element(
        'div',
        { className: 'samples-choice', role: 'group', 'aria-label': 'Language' },
        samples.map(choice),
        element('button', { className: 'copy', onClick: () => void copy(code).then(say) }, 'Copy'),
        element('span', { role: 'status' }, said),
      ),
      element(getComponent('HighlightCode', true), { language: syntax }, code),
    );
  }

  return { components: { CodeSamples } };
}
