import { refusalOf } from './docs-key.js';

/** The dialog of "Authorize": one field, Enter takes the key and closes, and a refused key is said at once. */
export function authorizeDialog(system) {
  const { React, specSelectors, authSelectors, authActions } = system;
  const element = React.createElement;

  function AuthorizationPopup() {
    const dialog = React.useRef(null);
    const [fault, say] = React.useState('');
    React.useEffect(() => dialog.current.showModal(), []);
    const [name, schema] = specSelectors.securityDefinitions().entrySeq().first();
    const isEntered = authSelectors.authorized().has(name);
    const close = () => dialog.current.close();
    const take = async (event) => {
      event.preventDefault();
      const value = new FormData(event.target)
        .get('key')
        .trim()
        .replace(/^Bearer +/i, '');
      const refusal = await faultOf(value);
      if (refusal) {
        say(refusal);
        return;
      }
      authActions.authorizeWithPersistOption({ [name]: { name, schema, value } });
      close();
    };
    const faultOf = (value) => {
      if (value === '') return 'Enter an API key.';
      // No header field can hold another character.
      return /^[!-~]+$/.test(value) ? refusalOf(value, system) : 'The service does not accept this key.';
    };
    const leave = () => {
      authActions.logoutWithPersistOption([name]);
      close();
    };
    return element(
      'dialog',
      {
        ref: dialog,
        className: 'access',
        'aria-labelledby': 'access-title',
        onClose: () => authActions.showDefinitions(false),
      },
      element('h3', { id: 'access-title' }, 'Authorize'),
      element(
        'form',
        { onSubmit: (event) => void take(event) },
        element('label', { htmlFor: 'access-key' }, 'API key'),
        element('input', {
          id: 'access-key',
          name: 'key',
          autoComplete: 'off',
          spellCheck: false,
          autoFocus: true,
          'aria-describedby': 'access-fault',
        }),
        element('p', { id: 'access-fault', role: 'alert' }, fault),
        element(
          'div',
          { className: 'access-actions' },
          element('button', { className: 'strong' }, 'Authorize'),
          isEntered && element('button', { type: 'button', onClick: leave }, 'Logout'),
          element('button', { type: 'button', onClick: close }, 'Close'),
        ),
      ),
    );
  }

  return { components: { authorizationPopup: AuthorizationPopup } };
}
