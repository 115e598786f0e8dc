/** Sign-in, sign-up, invitations and mailed links. */
export const signInTexts = {
  'One-time code': '一次性验证码',
  'Sign in': '登录',
  'Start over': '重新开始',
  'The provider did not confirm your identity.': '第三方登录服务未确认您的身份。',
  'Not signed in': '未登录',
  'Try again': '重试',
  'Passkeys require JavaScript. Turn it on in your browser.': '通行密钥需要 JavaScript。请在浏览器中启用。',
  'Sign in with a passkey': '使用通行密钥登录',
  'Your device asks for your fingerprint, face or PIN.': '设备会要求验证指纹、面容或 PIN。',
  'Use a passkey': '使用通行密钥',
  'This browser does not support passkeys.': '此浏览器不支持通行密钥。',
  'This device already has a passkey for your account.': '此设备上已有您账户的通行密钥。',
  'The passkey request failed or was cancelled. Try again.': '通行密钥请求失败或已取消。请重试。',
  'Sign in with your password': '使用密码登录',
  'Sign in with {name}': '使用 {name} 登录',
  'A program on this computer wants to sign in to your account. We’ll ask you to confirm before the program gets access.':
    '此计算机上的一个程序想登录您的账户。程序获得访问权限之前，我们会请您确认。',
  'E-mail address': '电子邮箱',
  Password: '密码',
  'Forgot password?': '忘记密码？',
  'Create account': '创建账户',
  'Confirm sign-in': '确认登录',
  'Authorize this program?': '授权此程序？',
  'A program on this computer requests access to your account.': '此计算机上的一个程序请求访问您的账户。',
  Account: '账户',
  Program: '程序',
  '{code}, port {code2}': '{code}，端口 {code2}',
  Permissions: '权限',
  'All of your permissions, including creating API keys, until you sign out its session on your {link}':
    '您的全部权限，包括创建 API 密钥，直到您在{link}退出该会话',
  'security page': '安全页面',
  'Continue only if you started this program yourself.': '仅当程序是您自己启动时才继续。',
  Authorize: '授权',
  'Use another account': '使用其他账户',
  'If {strong} has an account, we sent it a link to set a new password. The link works once and expires after one hour.':
    '如果{strong}已有账户，我们已向其发送设置新密码的链接。链接只能使用一次，一小时后失效。',
  'Reset your password': '重置密码',
  'Enter your e-mail address. We’ll send you a link to set a new password.':
    '填写您的电子邮箱，我们会发送设置新密码的链接。',
  'Send link': '发送链接',
  'Back to sign in': '返回登录',
  'New password': '新密码',
  'If your account may be compromised': '如果您的账户可能已被盗用',
  'Set a new password': '设置新密码',
  'Setting a new password signs you out everywhere.': '设置新密码后，您将在所有设备上退出登录。',
  'Set password': '设置密码',
  'Password set': '密码已设置',
  'All sessions of the account are signed out.': '账户的所有会话都已退出。',
  '{link} with the new password. Then review the credentials with access to your account on the security page.':
    '请用新密码{link}，然后在安全页面检查可访问您账户的凭据。',
  '{link}. Only the newest link is valid.': '{link}。只有最新的链接有效。',
  'Request a new link': '请求新链接',
  'If you have already joined, open your {link}. Otherwise ask the person who invited you for a new invitation.':
    '如果您已加入，请打开您的{link}。否则请让邀请您的人重新发送邀请。',
  organization: '组织',
  'You are already a member': '您已是成员',
  'Your role has not changed, and the invitation is still open. Go to your {link}.':
    '您的角色没有改变，邀请仍然有效。前往您的{link}。',
  'Join “{organizationName}”': '加入“{organizationName}”',
  '“{name}” ({email}) invites you to join the organization “{organizationName}” as {role}.':
    '“{name}”（{email}）邀请您以{role}身份加入组织“{organizationName}”。',
  'The sender chose the names in quotes.': '引号中的名称由发件人填写。',
  'Create account and join': '创建账户并加入',
  'Sign in to an existing account and join': '登录已有账户并加入',
  '{strong} has an account. Sign in to accept the invitation.': '{strong}已有账户。请登录以接受邀请。',
  'Sign in and join': '登录并加入',
  'This becomes your current organization. Your other memberships do not change.':
    '此组织将成为您的当前组织。您的其他成员身份不变。',
  'Join as {role}': '以{role}身份加入',
  'Not now': '暂不',
  'The link has expired or was already used.': '链接已过期或已使用。',
  'This link is no longer valid': '此链接已失效',
  'The link has expired, was already used or is incomplete. Links in e-mails work once and for a limited time.':
    '链接已过期、已使用或不完整。邮件中的链接只能使用一次，且有时限。',
  'Check your e-mail': '请查收邮件',
  'No e-mail after a few minutes? Check your spam folder, then try again.':
    '几分钟后仍未收到？请检查垃圾邮件文件夹，然后重试。',
  '3–32 lowercase letters, digits, - or _. The username is part of URLs and cannot be changed.':
    '3–32 个小写字母、数字、- 或 _。用户名是网址的一部分，不能更改。',
  'Leave empty to get a suggestion.': '留空则自动建议。',
  'We sent an e-mail to {strong}. Open the link within 24 hours to create your account.':
    '我们已向{strong}发送邮件。请在 24 小时内打开链接以创建账户。',
  'Confirm your address': '确认您的邮箱',
  'Continue only if you signed up for this account yourself.': '仅当您自己注册了此账户时才继续。',
  'Sign in to an existing account': '登录已有账户',
  'If you have already confirmed your address, {link}. Otherwise {link2}.':
    '如果您已确认邮箱，请{link}。否则请{link2}。',
  'sign in': '登录',
  'sign up again': '重新注册',
  'Account not created': '账户未创建',
  'The username was taken after you signed up. {link} with another one, or {link2}.':
    '您注册之后，该用户名已被占用。请换一个{link}，或{link2}。',
  'Sign up again': '重新注册',
  'Undo the e-mail address change': '撤销邮箱更改',
  'This restores the address {strong} and revokes all access to the account, including its password. We’ll send a link to that address to set a new password.':
    '这会恢复邮箱{strong}，并撤销对账户的所有访问，包括密码。我们会向该邮箱发送设置新密码的链接。',
  'Undo change': '撤销更改',
  'Change undone': '更改已撤销',
  'The previous address is restored, and all access to the account is revoked.':
    '已恢复原邮箱，并撤销了对账户的所有访问。',
  'Check your e-mail for a link to set a new password. After you sign in, review the credentials on your {link}.':
    '请查收设置新密码的邮件。登录后，请在{link}检查凭据。',
  'If your address is already restored, {link}. Otherwise contact the operator of this installation.':
    '如果邮箱已恢复，请{link}。否则请联系系统管理员。',
  'set a new password': '设置新密码',
  'Change not undone': '更改未撤销',
  'Another account uses this address now.': '已有其他账户使用此邮箱。',
  'The sign-in was started in another browser, or more than 10 minutes ago. Try again.':
    '此次登录在其他浏览器中发起，或已超过 10 分钟。请重试。',
  'The session that started the linking has expired, or this browser has another session. Try again.':
    '发起关联的会话已过期，或此浏览器中是另一个会话。请重试。',
  'You cancelled at the provider. Nothing has changed.': '您在第三方登录服务中取消了操作，没有任何更改。',
  'The provider did not return an e-mail address. An account requires one.':
    '第三方登录服务未返回电子邮箱，而账户需要邮箱。',
  'The provider has not verified your e-mail address. Verify it there first.':
    '第三方登录服务尚未验证您的电子邮箱。请先在该服务中验证。',
  'An account with your e-mail address already exists. Sign in to it with its password, then link the provider on your account page.':
    '已有账户使用您的电子邮箱。请用该账户的密码登录，然后在账户页关联第三方登录。',
  'This identity is no longer linked to the account.': '此身份已不再与账户关联。',
  'This identity is linked to another account. Unlink it there first.':
    '此身份已关联其他账户。请先在该账户中取消关联。',
  'Revoke all access to the account: API keys, passkeys, linked providers, platform tokens, invitations, shares, links, and one-time codes set up in the last 7 days':
    '撤销对账户的所有访问：API 密钥、通行密钥、已关联的第三方登录、平台令牌、邀请、共享、链接，以及最近 7 天内设置的一次性验证码',
};
