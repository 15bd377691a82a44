// src/dom.ts
function e(e, t = {}, ...i) {
	let a = document.createElement(e);
	return n(a, t), r(a, i), a;
}
function t(e, t = {}, ...i) {
	let a = document.createElementNS("http://www.w3.org/2000/svg", e);
	return n(a, t), r(a, i), a;
}
function n(e, t) {
	for (let [n, r] of Object.entries(t)) r != null && r !== !1 && (typeof r == "function" ? e.addEventListener(n, r) : e.setAttribute(n, r === !0 ? "" : String(r)));
}
function r(e, t) {
	for (let n of t) n != null && n !== !1 && e.append(n);
}
function i(e, ...t) {
	e.replaceChildren(), r(e, t);
}
function a(e) {
	return e === "inf" || e === Infinity ? "∞" : e === "-inf" || e === -Infinity ? "−∞" : typeof e != "number" || Number.isNaN(e) ? e == null ? "–" : String(e) : String(Number.isInteger(e) && Math.abs(e) < 1e7 ? e : Number(e.toPrecision(4))).replace("-", "−");
}
function o(e) {
	return e === "inf" ? Infinity : e === "-inf" ? -Infinity : typeof e == "number" ? e : NaN;
}
function s(e) {
	return e.toLocaleString("en-US").replaceAll(",", " ");
}
// node_modules/d3-selection/dist/d3-selection.mjs
var c = "http://www.w3.org/1999/xhtml", l = {
	svg: "http://www.w3.org/2000/svg",
	xhtml: c,
	xlink: "http://www.w3.org/1999/xlink",
	xml: "http://www.w3.org/XML/1998/namespace",
	xmlns: "http://www.w3.org/2000/xmlns/"
};
function u(e) {
	var t = e += "", n = t.indexOf(":");
	return n >= 0 && (t = e.slice(0, n)) !== "xmlns" && (e = e.slice(n + 1)), l.hasOwnProperty(t) ? {
		space: l[t],
		local: e
	} : e;
}
function d(e) {
	return function() {
		var t = this.ownerDocument, n = this.namespaceURI;
		return n === c && t.documentElement.namespaceURI === c ? t.createElement(e) : t.createElementNS(n, e);
	};
}
function f(e) {
	return function() {
		return this.ownerDocument.createElementNS(e.space, e.local);
	};
}
function p(e) {
	var t = u(e);
	return (t.local ? f : d)(t);
}
function m() {}
function h(e) {
	return e == null ? m : function() {
		return this.querySelector(e);
	};
}
function g(e) {
	typeof e != "function" && (e = h(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = Array(o), c, l, u = 0; u < o; ++u) (c = a[u]) && (l = e.call(c, c.__data__, u, a)) && ("__data__" in c && (l.__data__ = c.__data__), s[u] = l);
	return new w(r, this._parents);
}
function _(e) {
	return e == null ? [] : Array.isArray(e) ? e : Array.from(e);
}
function v() {
	return [];
}
function y(e) {
	return e == null ? v : function() {
		return this.querySelectorAll(e);
	};
}
function b(e) {
	return function() {
		return _(e.apply(this, arguments));
	};
}
function x(e) {
	e = typeof e == "function" ? b(e) : y(e);
	for (var t = this._groups, n = t.length, r = [], i = [], a = 0; a < n; ++a) for (var o = t[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && (r.push(e.call(c, c.__data__, l, o)), i.push(c));
	return new w(r, i);
}
function S(e) {
	return function() {
		return this.matches(e);
	};
}
function ee(e) {
	return function(t) {
		return t.matches(e);
	};
}
var te = Array.prototype.find;
function ne(e) {
	return function() {
		return te.call(this.children, e);
	};
}
function re() {
	return this.firstElementChild;
}
function ie(e) {
	return this.select(e == null ? re : ne(typeof e == "function" ? e : ee(e)));
}
var ae = Array.prototype.filter;
function oe() {
	return Array.from(this.children);
}
function se(e) {
	return function() {
		return ae.call(this.children, e);
	};
}
function ce(e) {
	return this.selectAll(e == null ? oe : se(typeof e == "function" ? e : ee(e)));
}
function le(e) {
	typeof e != "function" && (e = S(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new w(r, this._parents);
}
function ue(e) {
	return Array(e.length);
}
function de() {
	return new w(this._enter || this._groups.map(ue), this._parents);
}
function fe(e, t) {
	this.ownerDocument = e.ownerDocument, this.namespaceURI = e.namespaceURI, this._next = null, this._parent = e, this.__data__ = t;
}
fe.prototype = {
	constructor: fe,
	appendChild: function(e) {
		return this._parent.insertBefore(e, this._next);
	},
	insertBefore: function(e, t) {
		return this._parent.insertBefore(e, t);
	},
	querySelector: function(e) {
		return this._parent.querySelector(e);
	},
	querySelectorAll: function(e) {
		return this._parent.querySelectorAll(e);
	}
};
function pe(e) {
	return function() {
		return e;
	};
}
function me(e, t, n, r, i, a) {
	for (var o = 0, s, c = t.length, l = a.length; o < l; ++o) (s = t[o]) ? (s.__data__ = a[o], r[o] = s) : n[o] = new fe(e, a[o]);
	for (; o < c; ++o) (s = t[o]) && (i[o] = s);
}
function he(e, t, n, r, i, a, o) {
	var s, c, l = /* @__PURE__ */ new Map(), u = t.length, d = a.length, f = Array(u), p;
	for (s = 0; s < u; ++s) (c = t[s]) && (f[s] = p = o.call(c, c.__data__, s, t) + "", l.has(p) ? i[s] = c : l.set(p, c));
	for (s = 0; s < d; ++s) p = o.call(e, a[s], s, a) + "", (c = l.get(p)) ? (r[s] = c, c.__data__ = a[s], l.delete(p)) : n[s] = new fe(e, a[s]);
	for (s = 0; s < u; ++s) (c = t[s]) && l.get(f[s]) === c && (i[s] = c);
}
function ge(e) {
	return e.__data__;
}
function _e(e, t) {
	if (!arguments.length) return Array.from(this, ge);
	var n = t ? he : me, r = this._parents, i = this._groups;
	typeof e != "function" && (e = pe(e));
	for (var a = i.length, o = Array(a), s = Array(a), c = Array(a), l = 0; l < a; ++l) {
		var u = r[l], d = i[l], f = d.length, p = ve(e.call(u, u && u.__data__, l, r)), m = p.length, h = s[l] = Array(m), g = o[l] = Array(m);
		n(u, d, h, g, c[l] = Array(f), p, t);
		for (var _ = 0, v = 0, y, b; _ < m; ++_) if (y = h[_]) {
			for (_ >= v && (v = _ + 1); !(b = g[v]) && ++v < m;);
			y._next = b || null;
		}
	}
	return o = new w(o, r), o._enter = s, o._exit = c, o;
}
function ve(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function ye() {
	return new w(this._exit || this._groups.map(ue), this._parents);
}
function be(e, t, n) {
	var r = this.enter(), i = this, a = this.exit();
	return typeof e == "function" ? (r = e(r), r &&= r.selection()) : r = r.append(e + ""), t != null && (i = t(i), i &&= i.selection()), n == null ? a.remove() : n(a), r && i ? r.merge(i).order() : i;
}
function xe(e) {
	for (var t = e.selection ? e.selection() : e, n = this._groups, r = t._groups, i = n.length, a = r.length, o = Math.min(i, a), s = Array(i), c = 0; c < o; ++c) for (var l = n[c], u = r[c], d = l.length, f = s[c] = Array(d), p, m = 0; m < d; ++m) (p = l[m] || u[m]) && (f[m] = p);
	for (; c < i; ++c) s[c] = n[c];
	return new w(s, this._parents);
}
function Se() {
	for (var e = this._groups, t = -1, n = e.length; ++t < n;) for (var r = e[t], i = r.length - 1, a = r[i], o; --i >= 0;) (o = r[i]) && (a && o.compareDocumentPosition(a) ^ 4 && a.parentNode.insertBefore(o, a), a = o);
	return this;
}
function Ce(e) {
	e ||= we;
	function t(t, n) {
		return t && n ? e(t.__data__, n.__data__) : !t - !n;
	}
	for (var n = this._groups, r = n.length, i = Array(r), a = 0; a < r; ++a) {
		for (var o = n[a], s = o.length, c = i[a] = Array(s), l, u = 0; u < s; ++u) (l = o[u]) && (c[u] = l);
		c.sort(t);
	}
	return new w(i, this._parents).order();
}
function we(e, t) {
	return e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function Te() {
	var e = arguments[0];
	return arguments[0] = this, e.apply(null, arguments), this;
}
function Ee() {
	return Array.from(this);
}
function De() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length; i < a; ++i) {
		var o = r[i];
		if (o) return o;
	}
	return null;
}
function Oe() {
	let e = 0;
	for (let t of this) ++e;
	return e;
}
function ke() {
	return !this.node();
}
function Ae(e) {
	for (var t = this._groups, n = 0, r = t.length; n < r; ++n) for (var i = t[n], a = 0, o = i.length, s; a < o; ++a) (s = i[a]) && e.call(s, s.__data__, a, i);
	return this;
}
function je(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function Me(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function Ne(e, t) {
	return function() {
		this.setAttribute(e, t);
	};
}
function Pe(e, t) {
	return function() {
		this.setAttributeNS(e.space, e.local, t);
	};
}
function Fe(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttribute(e) : this.setAttribute(e, n);
	};
}
function Ie(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttributeNS(e.space, e.local) : this.setAttributeNS(e.space, e.local, n);
	};
}
function Le(e, t) {
	var n = u(e);
	if (arguments.length < 2) {
		var r = this.node();
		return n.local ? r.getAttributeNS(n.space, n.local) : r.getAttribute(n);
	}
	return this.each((t == null ? n.local ? Me : je : typeof t == "function" ? n.local ? Ie : Fe : n.local ? Pe : Ne)(n, t));
}
function Re(e) {
	return e.ownerDocument && e.ownerDocument.defaultView || e.document && e || e.defaultView;
}
function ze(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function Be(e, t, n) {
	return function() {
		this.style.setProperty(e, t, n);
	};
}
function Ve(e, t, n) {
	return function() {
		var r = t.apply(this, arguments);
		r == null ? this.style.removeProperty(e) : this.style.setProperty(e, r, n);
	};
}
function He(e, t, n) {
	return arguments.length > 1 ? this.each((t == null ? ze : typeof t == "function" ? Ve : Be)(e, t, n ?? "")) : C(this.node(), e);
}
function C(e, t) {
	return e.style.getPropertyValue(t) || Re(e).getComputedStyle(e, null).getPropertyValue(t);
}
function Ue(e) {
	return function() {
		delete this[e];
	};
}
function We(e, t) {
	return function() {
		this[e] = t;
	};
}
function Ge(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? delete this[e] : this[e] = n;
	};
}
function Ke(e, t) {
	return arguments.length > 1 ? this.each((t == null ? Ue : typeof t == "function" ? Ge : We)(e, t)) : this.node()[e];
}
function qe(e) {
	return e.trim().split(/^|\s+/);
}
function Je(e) {
	return e.classList || new Ye(e);
}
function Ye(e) {
	this._node = e, this._names = qe(e.getAttribute("class") || "");
}
Ye.prototype = {
	add: function(e) {
		this._names.indexOf(e) < 0 && (this._names.push(e), this._node.setAttribute("class", this._names.join(" ")));
	},
	remove: function(e) {
		var t = this._names.indexOf(e);
		t >= 0 && (this._names.splice(t, 1), this._node.setAttribute("class", this._names.join(" ")));
	},
	contains: function(e) {
		return this._names.indexOf(e) >= 0;
	}
};
function Xe(e, t) {
	for (var n = Je(e), r = -1, i = t.length; ++r < i;) n.add(t[r]);
}
function Ze(e, t) {
	for (var n = Je(e), r = -1, i = t.length; ++r < i;) n.remove(t[r]);
}
function Qe(e) {
	return function() {
		Xe(this, e);
	};
}
function $e(e) {
	return function() {
		Ze(this, e);
	};
}
function et(e, t) {
	return function() {
		(t.apply(this, arguments) ? Xe : Ze)(this, e);
	};
}
function tt(e, t) {
	var n = qe(e + "");
	if (arguments.length < 2) {
		for (var r = Je(this.node()), i = -1, a = n.length; ++i < a;) if (!r.contains(n[i])) return !1;
		return !0;
	}
	return this.each((typeof t == "function" ? et : t ? Qe : $e)(n, t));
}
function nt() {
	this.textContent = "";
}
function rt(e) {
	return function() {
		this.textContent = e;
	};
}
function it(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.textContent = t ?? "";
	};
}
function at(e) {
	return arguments.length ? this.each(e == null ? nt : (typeof e == "function" ? it : rt)(e)) : this.node().textContent;
}
function ot() {
	this.innerHTML = "";
}
function st(e) {
	return function() {
		this.innerHTML = e;
	};
}
function ct(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.innerHTML = t ?? "";
	};
}
function lt(e) {
	return arguments.length ? this.each(e == null ? ot : (typeof e == "function" ? ct : st)(e)) : this.node().innerHTML;
}
function ut() {
	this.nextSibling && this.parentNode.appendChild(this);
}
function dt() {
	return this.each(ut);
}
function ft() {
	this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function pt() {
	return this.each(ft);
}
function mt(e) {
	var t = typeof e == "function" ? e : p(e);
	return this.select(function() {
		return this.appendChild(t.apply(this, arguments));
	});
}
function ht() {
	return null;
}
function gt(e, t) {
	var n = typeof e == "function" ? e : p(e), r = t == null ? ht : typeof t == "function" ? t : h(t);
	return this.select(function() {
		return this.insertBefore(n.apply(this, arguments), r.apply(this, arguments) || null);
	});
}
function _t() {
	var e = this.parentNode;
	e && e.removeChild(this);
}
function vt() {
	return this.each(_t);
}
function yt() {
	var e = this.cloneNode(!1), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function bt() {
	var e = this.cloneNode(!0), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function xt(e) {
	return this.select(e ? bt : yt);
}
function St(e) {
	return arguments.length ? this.property("__data__", e) : this.node().__data__;
}
function Ct(e) {
	return function(t) {
		e.call(this, t, this.__data__);
	};
}
function wt(e) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var t = "", n = e.indexOf(".");
		return n >= 0 && (t = e.slice(n + 1), e = e.slice(0, n)), {
			type: e,
			name: t
		};
	});
}
function Tt(e) {
	return function() {
		var t = this.__on;
		if (t) {
			for (var n = 0, r = -1, i = t.length, a; n < i; ++n) a = t[n], (!e.type || a.type === e.type) && a.name === e.name ? this.removeEventListener(a.type, a.listener, a.options) : t[++r] = a;
			++r ? t.length = r : delete this.__on;
		}
	};
}
function Et(e, t, n) {
	return function() {
		var r = this.__on, i, a = Ct(t);
		if (r) {
			for (var o = 0, s = r.length; o < s; ++o) if ((i = r[o]).type === e.type && i.name === e.name) {
				this.removeEventListener(i.type, i.listener, i.options), this.addEventListener(i.type, i.listener = a, i.options = n), i.value = t;
				return;
			}
		}
		this.addEventListener(e.type, a, n), i = {
			type: e.type,
			name: e.name,
			value: t,
			listener: a,
			options: n
		}, r ? r.push(i) : this.__on = [i];
	};
}
function Dt(e, t, n) {
	var r = wt(e + ""), i, a = r.length, o;
	if (arguments.length < 2) {
		var s = this.node().__on;
		if (s) {
			for (var c = 0, l = s.length, u; c < l; ++c) for (i = 0, u = s[c]; i < a; ++i) if ((o = r[i]).type === u.type && o.name === u.name) return u.value;
		}
	} else {
		for (s = t ? Et : Tt, i = 0; i < a; ++i) this.each(s(r[i], t, n));
		return this;
	}
}
function Ot(e, t, n) {
	var r = Re(e), i = r.CustomEvent;
	typeof i == "function" ? i = new i(t, n) : (i = r.document.createEvent("Event"), n ? (i.initEvent(t, n.bubbles, n.cancelable), i.detail = n.detail) : i.initEvent(t, !1, !1)), e.dispatchEvent(i);
}
function kt(e, t) {
	return function() {
		return Ot(this, e, t);
	};
}
function At(e, t) {
	return function() {
		return Ot(this, e, t.apply(this, arguments));
	};
}
function jt(e, t) {
	return this.each((typeof t == "function" ? At : kt)(e, t));
}
function* Mt() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length, o; i < a; ++i) (o = r[i]) && (yield o);
}
var Nt = [null];
function w(e, t) {
	this._groups = e, this._parents = t;
}
function Pt() {
	return new w([[document.documentElement]], Nt);
}
function Ft() {
	return this;
}
w.prototype = Pt.prototype = {
	constructor: w,
	select: g,
	selectAll: x,
	selectChild: ie,
	selectChildren: ce,
	filter: le,
	data: _e,
	enter: de,
	exit: ye,
	join: be,
	merge: xe,
	selection: Ft,
	order: Se,
	sort: Ce,
	call: Te,
	nodes: Ee,
	node: De,
	size: Oe,
	empty: ke,
	each: Ae,
	attr: Le,
	style: He,
	property: Ke,
	classed: tt,
	text: at,
	html: lt,
	raise: dt,
	lower: pt,
	append: mt,
	insert: gt,
	remove: vt,
	clone: xt,
	datum: St,
	on: Dt,
	dispatch: jt,
	[Symbol.iterator]: Mt
};
function T(e) {
	return typeof e == "string" ? new w([[document.querySelector(e)]], [document.documentElement]) : new w([[e]], Nt);
}
var It = 0;
function Lt() {
	return new Rt();
}
function Rt() {
	this._ = "@" + (++It).toString(36);
}
Rt.prototype = Lt.prototype = {
	constructor: Rt,
	get: function(e) {
		for (var t = this._; !(t in e);) if (!(e = e.parentNode)) return;
		return e[t];
	},
	set: function(e, t) {
		return e[this._] = t;
	},
	remove: function(e) {
		return this._ in e && delete e[this._];
	},
	toString: function() {
		return this._;
	}
};
function zt(e) {
	let t;
	for (; t = e.sourceEvent;) e = t;
	return e;
}
function E(e, t) {
	if (e = zt(e), t === void 0 && (t = e.currentTarget), t) {
		var n = t.ownerSVGElement || t;
		if (n.createSVGPoint) {
			var r = n.createSVGPoint();
			return r.x = e.clientX, r.y = e.clientY, r = r.matrixTransform(t.getScreenCTM().inverse()), [r.x, r.y];
		}
		if (t.getBoundingClientRect) {
			var i = t.getBoundingClientRect();
			return [e.clientX - i.left - t.clientLeft, e.clientY - i.top - t.clientTop];
		}
	}
	return [e.pageX, e.pageY];
}
// node_modules/d3-dispatch/dist/d3-dispatch.mjs
var Bt = { value: () => {} };
function Vt() {
	for (var e = 0, t = arguments.length, n = {}, r; e < t; ++e) {
		if (!(r = arguments[e] + "") || r in n || /[\s.]/.test(r)) throw Error("illegal type: " + r);
		n[r] = [];
	}
	return new Ht(n);
}
function Ht(e) {
	this._ = e;
}
function Ut(e, t) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var n = "", r = e.indexOf(".");
		if (r >= 0 && (n = e.slice(r + 1), e = e.slice(0, r)), e && !t.hasOwnProperty(e)) throw Error("unknown type: " + e);
		return {
			type: e,
			name: n
		};
	});
}
Ht.prototype = Vt.prototype = {
	constructor: Ht,
	on: function(e, t) {
		var n = this._, r = Ut(e + "", n), i, a = -1, o = r.length;
		if (arguments.length < 2) {
			for (; ++a < o;) if ((i = (e = r[a]).type) && (i = Wt(n[i], e.name))) return i;
		} else {
			if (t != null && typeof t != "function") throw Error("invalid callback: " + t);
			for (; ++a < o;) if (i = (e = r[a]).type) n[i] = Gt(n[i], e.name, t);
			else if (t == null) for (i in n) n[i] = Gt(n[i], e.name, null);
			return this;
		}
	},
	copy: function() {
		var e = {}, t = this._;
		for (var n in t) e[n] = t[n].slice();
		return new Ht(e);
	},
	call: function(e, t) {
		if ((i = arguments.length - 2) > 0) for (var n = Array(i), r = 0, i, a; r < i; ++r) n[r] = arguments[r + 2];
		if (!this._.hasOwnProperty(e)) throw Error("unknown type: " + e);
		for (a = this._[e], r = 0, i = a.length; r < i; ++r) a[r].value.apply(t, n);
	},
	apply: function(e, t, n) {
		if (!this._.hasOwnProperty(e)) throw Error("unknown type: " + e);
		for (var r = this._[e], i = 0, a = r.length; i < a; ++i) r[i].value.apply(t, n);
	}
};
function Wt(e, t) {
	for (var n = 0, r = e.length, i; n < r; ++n) if ((i = e[n]).name === t) return i.value;
}
function Gt(e, t, n) {
	for (var r = 0, i = e.length; r < i; ++r) if (e[r].name === t) {
		e[r] = Bt, e = e.slice(0, r).concat(e.slice(r + 1));
		break;
	}
	return n != null && e.push({
		name: t,
		value: n
	}), e;
}
// node_modules/d3-drag/dist/d3-drag.mjs
var Kt = {
	capture: !0,
	passive: !1
};
function qt(e) {
	e.preventDefault(), e.stopImmediatePropagation();
}
function Jt(e) {
	var t = e.document.documentElement, n = T(e).on("dragstart.drag", qt, Kt);
	"onselectstart" in t ? n.on("selectstart.drag", qt, Kt) : (t.__noselect = t.style.MozUserSelect, t.style.MozUserSelect = "none");
}
function Yt(e, t) {
	var n = e.document.documentElement, r = T(e).on("dragstart.drag", null);
	t && (r.on("click.drag", qt, Kt), setTimeout(function() {
		r.on("click.drag", null);
	}, 0)), "onselectstart" in n ? r.on("selectstart.drag", null) : (n.style.MozUserSelect = n.__noselect, delete n.__noselect);
}
function Xt(e, { sourceEvent: t, subject: n, target: r, identifier: i, active: a, x: o, y: s, dx: c, dy: l, dispatch: u }) {
	Object.defineProperties(this, {
		type: {
			value: e,
			enumerable: !0,
			configurable: !0
		},
		sourceEvent: {
			value: t,
			enumerable: !0,
			configurable: !0
		},
		subject: {
			value: n,
			enumerable: !0,
			configurable: !0
		},
		target: {
			value: r,
			enumerable: !0,
			configurable: !0
		},
		identifier: {
			value: i,
			enumerable: !0,
			configurable: !0
		},
		active: {
			value: a,
			enumerable: !0,
			configurable: !0
		},
		x: {
			value: o,
			enumerable: !0,
			configurable: !0
		},
		y: {
			value: s,
			enumerable: !0,
			configurable: !0
		},
		dx: {
			value: c,
			enumerable: !0,
			configurable: !0
		},
		dy: {
			value: l,
			enumerable: !0,
			configurable: !0
		},
		_: { value: u }
	});
}
Xt.prototype.on = function() {
	var e = this._.on.apply(this._, arguments);
	return e === this._ ? this : e;
};
// node_modules/d3-color/dist/d3-color.mjs
function D(e, t, n) {
	e.prototype = t.prototype = n, n.constructor = e;
}
function O(e, t) {
	var n = Object.create(e.prototype);
	for (var r in t) n[r] = t[r];
	return n;
}
function k() {}
var A = .7, j = 1 / A, M = "\\s*([+-]?\\d+)\\s*", Zt = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*", N = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*", Qt = /^#([0-9a-f]{3,8})$/, $t = RegExp(`^rgb\\(${M},${M},${M}\\)$`), en = RegExp(`^rgb\\(${N},${N},${N}\\)$`), tn = RegExp(`^rgba\\(${M},${M},${M},${Zt}\\)$`), nn = RegExp(`^rgba\\(${N},${N},${N},${Zt}\\)$`), rn = RegExp(`^hsl\\(${Zt},${N},${N}\\)$`), an = RegExp(`^hsla\\(${Zt},${N},${N},${Zt}\\)$`), on = {
	aliceblue: 15792383,
	antiquewhite: 16444375,
	aqua: 65535,
	aquamarine: 8388564,
	azure: 15794175,
	beige: 16119260,
	bisque: 16770244,
	black: 0,
	blanchedalmond: 16772045,
	blue: 255,
	blueviolet: 9055202,
	brown: 10824234,
	burlywood: 14596231,
	cadetblue: 6266528,
	chartreuse: 8388352,
	chocolate: 13789470,
	coral: 16744272,
	cornflowerblue: 6591981,
	cornsilk: 16775388,
	crimson: 14423100,
	cyan: 65535,
	darkblue: 139,
	darkcyan: 35723,
	darkgoldenrod: 12092939,
	darkgray: 11119017,
	darkgreen: 25600,
	darkgrey: 11119017,
	darkkhaki: 12433259,
	darkmagenta: 9109643,
	darkolivegreen: 5597999,
	darkorange: 16747520,
	darkorchid: 10040012,
	darkred: 9109504,
	darksalmon: 15308410,
	darkseagreen: 9419919,
	darkslateblue: 4734347,
	darkslategray: 3100495,
	darkslategrey: 3100495,
	darkturquoise: 52945,
	darkviolet: 9699539,
	deeppink: 16716947,
	deepskyblue: 49151,
	dimgray: 6908265,
	dimgrey: 6908265,
	dodgerblue: 2003199,
	firebrick: 11674146,
	floralwhite: 16775920,
	forestgreen: 2263842,
	fuchsia: 16711935,
	gainsboro: 14474460,
	ghostwhite: 16316671,
	gold: 16766720,
	goldenrod: 14329120,
	gray: 8421504,
	green: 32768,
	greenyellow: 11403055,
	grey: 8421504,
	honeydew: 15794160,
	hotpink: 16738740,
	indianred: 13458524,
	indigo: 4915330,
	ivory: 16777200,
	khaki: 15787660,
	lavender: 15132410,
	lavenderblush: 16773365,
	lawngreen: 8190976,
	lemonchiffon: 16775885,
	lightblue: 11393254,
	lightcoral: 15761536,
	lightcyan: 14745599,
	lightgoldenrodyellow: 16448210,
	lightgray: 13882323,
	lightgreen: 9498256,
	lightgrey: 13882323,
	lightpink: 16758465,
	lightsalmon: 16752762,
	lightseagreen: 2142890,
	lightskyblue: 8900346,
	lightslategray: 7833753,
	lightslategrey: 7833753,
	lightsteelblue: 11584734,
	lightyellow: 16777184,
	lime: 65280,
	limegreen: 3329330,
	linen: 16445670,
	magenta: 16711935,
	maroon: 8388608,
	mediumaquamarine: 6737322,
	mediumblue: 205,
	mediumorchid: 12211667,
	mediumpurple: 9662683,
	mediumseagreen: 3978097,
	mediumslateblue: 8087790,
	mediumspringgreen: 64154,
	mediumturquoise: 4772300,
	mediumvioletred: 13047173,
	midnightblue: 1644912,
	mintcream: 16121850,
	mistyrose: 16770273,
	moccasin: 16770229,
	navajowhite: 16768685,
	navy: 128,
	oldlace: 16643558,
	olive: 8421376,
	olivedrab: 7048739,
	orange: 16753920,
	orangered: 16729344,
	orchid: 14315734,
	palegoldenrod: 15657130,
	palegreen: 10025880,
	paleturquoise: 11529966,
	palevioletred: 14381203,
	papayawhip: 16773077,
	peachpuff: 16767673,
	peru: 13468991,
	pink: 16761035,
	plum: 14524637,
	powderblue: 11591910,
	purple: 8388736,
	rebeccapurple: 6697881,
	red: 16711680,
	rosybrown: 12357519,
	royalblue: 4286945,
	saddlebrown: 9127187,
	salmon: 16416882,
	sandybrown: 16032864,
	seagreen: 3050327,
	seashell: 16774638,
	sienna: 10506797,
	silver: 12632256,
	skyblue: 8900331,
	slateblue: 6970061,
	slategray: 7372944,
	slategrey: 7372944,
	snow: 16775930,
	springgreen: 65407,
	steelblue: 4620980,
	tan: 13808780,
	teal: 32896,
	thistle: 14204888,
	tomato: 16737095,
	turquoise: 4251856,
	violet: 15631086,
	wheat: 16113331,
	white: 16777215,
	whitesmoke: 16119285,
	yellow: 16776960,
	yellowgreen: 10145074
};
D(k, dn, {
	copy(e) {
		return Object.assign(new this.constructor(), this, e);
	},
	displayable() {
		return this.rgb().displayable();
	},
	hex: sn,
	formatHex: sn,
	formatHex8: cn,
	formatHsl: ln,
	formatRgb: un,
	toString: un
});
function sn() {
	return this.rgb().formatHex();
}
function cn() {
	return this.rgb().formatHex8();
}
function ln() {
	return xn(this).formatHsl();
}
function un() {
	return this.rgb().formatRgb();
}
function dn(e) {
	var t, n;
	return e = (e + "").trim().toLowerCase(), (t = Qt.exec(e)) ? (n = t[1].length, t = parseInt(t[1], 16), n === 6 ? fn(t) : n === 3 ? new P(t >> 8 & 15 | t >> 4 & 240, t >> 4 & 15 | t & 240, (t & 15) << 4 | t & 15, 1) : n === 8 ? pn(t >> 24 & 255, t >> 16 & 255, t >> 8 & 255, (t & 255) / 255) : n === 4 ? pn(t >> 12 & 15 | t >> 8 & 240, t >> 8 & 15 | t >> 4 & 240, t >> 4 & 15 | t & 240, ((t & 15) << 4 | t & 15) / 255) : null) : (t = $t.exec(e)) ? new P(t[1], t[2], t[3], 1) : (t = en.exec(e)) ? new P(t[1] * 255 / 100, t[2] * 255 / 100, t[3] * 255 / 100, 1) : (t = tn.exec(e)) ? pn(t[1], t[2], t[3], t[4]) : (t = nn.exec(e)) ? pn(t[1] * 255 / 100, t[2] * 255 / 100, t[3] * 255 / 100, t[4]) : (t = rn.exec(e)) ? bn(t[1], t[2] / 100, t[3] / 100, 1) : (t = an.exec(e)) ? bn(t[1], t[2] / 100, t[3] / 100, t[4]) : on.hasOwnProperty(e) ? fn(on[e]) : e === "transparent" ? new P(NaN, NaN, NaN, 0) : null;
}
function fn(e) {
	return new P(e >> 16 & 255, e >> 8 & 255, e & 255, 1);
}
function pn(e, t, n, r) {
	return r <= 0 && (e = t = n = NaN), new P(e, t, n, r);
}
function mn(e) {
	return e instanceof k || (e = dn(e)), e ? (e = e.rgb(), new P(e.r, e.g, e.b, e.opacity)) : new P();
}
function hn(e, t, n, r) {
	return arguments.length === 1 ? mn(e) : new P(e, t, n, r ?? 1);
}
function P(e, t, n, r) {
	this.r = +e, this.g = +t, this.b = +n, this.opacity = +r;
}
D(P, hn, O(k, {
	brighter(e) {
		return e = e == null ? j : j ** +e, new P(this.r * e, this.g * e, this.b * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? A : A ** +e, new P(this.r * e, this.g * e, this.b * e, this.opacity);
	},
	rgb() {
		return this;
	},
	clamp() {
		return new P(F(this.r), F(this.g), F(this.b), yn(this.opacity));
	},
	displayable() {
		return -.5 <= this.r && this.r < 255.5 && -.5 <= this.g && this.g < 255.5 && -.5 <= this.b && this.b < 255.5 && 0 <= this.opacity && this.opacity <= 1;
	},
	hex: gn,
	formatHex: gn,
	formatHex8: _n,
	formatRgb: vn,
	toString: vn
}));
function gn() {
	return `#${I(this.r)}${I(this.g)}${I(this.b)}`;
}
function _n() {
	return `#${I(this.r)}${I(this.g)}${I(this.b)}${I((isNaN(this.opacity) ? 1 : this.opacity) * 255)}`;
}
function vn() {
	let e = yn(this.opacity);
	return `${e === 1 ? "rgb(" : "rgba("}${F(this.r)}, ${F(this.g)}, ${F(this.b)}${e === 1 ? ")" : `, ${e})`}`;
}
function yn(e) {
	return isNaN(e) ? 1 : Math.max(0, Math.min(1, e));
}
function F(e) {
	return Math.max(0, Math.min(255, Math.round(e) || 0));
}
function I(e) {
	return e = F(e), (e < 16 ? "0" : "") + e.toString(16);
}
function bn(e, t, n, r) {
	return r <= 0 ? e = t = n = NaN : n <= 0 || n >= 1 ? e = t = NaN : t <= 0 && (e = NaN), new L(e, t, n, r);
}
function xn(e) {
	if (e instanceof L) return new L(e.h, e.s, e.l, e.opacity);
	if (e instanceof k || (e = dn(e)), !e) return new L();
	if (e instanceof L) return e;
	e = e.rgb();
	var t = e.r / 255, n = e.g / 255, r = e.b / 255, i = Math.min(t, n, r), a = Math.max(t, n, r), o = NaN, s = a - i, c = (a + i) / 2;
	return s ? (o = t === a ? (n - r) / s + (n < r) * 6 : n === a ? (r - t) / s + 2 : (t - n) / s + 4, s /= c < .5 ? a + i : 2 - a - i, o *= 60) : s = c > 0 && c < 1 ? 0 : o, new L(o, s, c, e.opacity);
}
function Sn(e, t, n, r) {
	return arguments.length === 1 ? xn(e) : new L(e, t, n, r ?? 1);
}
function L(e, t, n, r) {
	this.h = +e, this.s = +t, this.l = +n, this.opacity = +r;
}
D(L, Sn, O(k, {
	brighter(e) {
		return e = e == null ? j : j ** +e, new L(this.h, this.s, this.l * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? A : A ** +e, new L(this.h, this.s, this.l * e, this.opacity);
	},
	rgb() {
		var e = this.h % 360 + (this.h < 0) * 360, t = isNaN(e) || isNaN(this.s) ? 0 : this.s, n = this.l, r = n + (n < .5 ? n : 1 - n) * t, i = 2 * n - r;
		return new P(Tn(e >= 240 ? e - 240 : e + 120, i, r), Tn(e, i, r), Tn(e < 120 ? e + 240 : e - 120, i, r), this.opacity);
	},
	clamp() {
		return new L(Cn(this.h), wn(this.s), wn(this.l), yn(this.opacity));
	},
	displayable() {
		return (0 <= this.s && this.s <= 1 || isNaN(this.s)) && 0 <= this.l && this.l <= 1 && 0 <= this.opacity && this.opacity <= 1;
	},
	formatHsl() {
		let e = yn(this.opacity);
		return `${e === 1 ? "hsl(" : "hsla("}${Cn(this.h)}, ${wn(this.s) * 100}%, ${wn(this.l) * 100}%${e === 1 ? ")" : `, ${e})`}`;
	}
}));
function Cn(e) {
	return e = (e || 0) % 360, e < 0 ? e + 360 : e;
}
function wn(e) {
	return Math.max(0, Math.min(1, e || 0));
}
function Tn(e, t, n) {
	return (e < 60 ? t + (n - t) * e / 60 : e < 180 ? n : e < 240 ? t + (n - t) * (240 - e) / 60 : t) * 255;
}
var En = Math.PI / 180, Dn = 180 / Math.PI, On = 18, kn = .96422, An = 1, jn = .82521, Mn = 4 / 29, R = 6 / 29, Nn = 3 * R * R, Pn = R * R * R;
function Fn(e) {
	if (e instanceof z) return new z(e.l, e.a, e.b, e.opacity);
	if (e instanceof B) return Un(e);
	e instanceof P || (e = mn(e));
	var t = Bn(e.r), n = Bn(e.g), r = Bn(e.b), i = Ln((.2225045 * t + .7168786 * n + .0606169 * r) / An), a, o;
	return t === n && n === r ? a = o = i : (a = Ln((.4360747 * t + .3850649 * n + .1430804 * r) / kn), o = Ln((.0139322 * t + .0971045 * n + .7141733 * r) / jn)), new z(116 * i - 16, 500 * (a - i), 200 * (i - o), e.opacity);
}
function In(e, t, n, r) {
	return arguments.length === 1 ? Fn(e) : new z(e, t, n, r ?? 1);
}
function z(e, t, n, r) {
	this.l = +e, this.a = +t, this.b = +n, this.opacity = +r;
}
D(z, In, O(k, {
	brighter(e) {
		return new z(this.l + On * (e ?? 1), this.a, this.b, this.opacity);
	},
	darker(e) {
		return new z(this.l - On * (e ?? 1), this.a, this.b, this.opacity);
	},
	rgb() {
		var e = (this.l + 16) / 116, t = isNaN(this.a) ? e : e + this.a / 500, n = isNaN(this.b) ? e : e - this.b / 200;
		return t = kn * Rn(t), e = An * Rn(e), n = jn * Rn(n), new P(zn(3.1338561 * t - 1.6168667 * e - .4906146 * n), zn(-.9787684 * t + 1.9161415 * e + .033454 * n), zn(.0719453 * t - .2289914 * e + 1.4052427 * n), this.opacity);
	}
}));
function Ln(e) {
	return e > Pn ? e ** (1 / 3) : e / Nn + Mn;
}
function Rn(e) {
	return e > R ? e * e * e : Nn * (e - Mn);
}
function zn(e) {
	return 255 * (e <= .0031308 ? 12.92 * e : 1.055 * e ** (1 / 2.4) - .055);
}
function Bn(e) {
	return (e /= 255) <= .04045 ? e / 12.92 : ((e + .055) / 1.055) ** 2.4;
}
function Vn(e) {
	if (e instanceof B) return new B(e.h, e.c, e.l, e.opacity);
	if (e instanceof z || (e = Fn(e)), e.a === 0 && e.b === 0) return new B(NaN, 0 < e.l && e.l < 100 ? 0 : NaN, e.l, e.opacity);
	var t = Math.atan2(e.b, e.a) * Dn;
	return new B(t < 0 ? t + 360 : t, Math.sqrt(e.a * e.a + e.b * e.b), e.l, e.opacity);
}
function Hn(e, t, n, r) {
	return arguments.length === 1 ? Vn(e) : new B(e, t, n, r ?? 1);
}
function B(e, t, n, r) {
	this.h = +e, this.c = +t, this.l = +n, this.opacity = +r;
}
function Un(e) {
	if (isNaN(e.h)) return new z(e.l, 0, 0, e.opacity);
	var t = e.h * En;
	return new z(e.l, Math.cos(t) * e.c, Math.sin(t) * e.c, e.opacity);
}
D(B, Hn, O(k, {
	brighter(e) {
		return new B(this.h, this.c, this.l + On * (e ?? 1), this.opacity);
	},
	darker(e) {
		return new B(this.h, this.c, this.l - On * (e ?? 1), this.opacity);
	},
	rgb() {
		return Un(this).rgb();
	}
}));
var Wn = -.14861, Gn = 1.78277, Kn = -.29227, qn = -.90649, Jn = 1.97294, Yn = Jn * qn, Xn = Jn * Gn, Zn = Gn * Kn - qn * Wn;
function Qn(e) {
	if (e instanceof V) return new V(e.h, e.s, e.l, e.opacity);
	e instanceof P || (e = mn(e));
	var t = e.r / 255, n = e.g / 255, r = e.b / 255, i = (Zn * r + Yn * t - Xn * n) / (Zn + Yn - Xn), a = r - i, o = (Jn * (n - i) - Kn * a) / qn, s = Math.sqrt(o * o + a * a) / (Jn * i * (1 - i)), c = s ? Math.atan2(o, a) * Dn - 120 : NaN;
	return new V(c < 0 ? c + 360 : c, s, i, e.opacity);
}
function $n(e, t, n, r) {
	return arguments.length === 1 ? Qn(e) : new V(e, t, n, r ?? 1);
}
function V(e, t, n, r) {
	this.h = +e, this.s = +t, this.l = +n, this.opacity = +r;
}
D(V, $n, O(k, {
	brighter(e) {
		return e = e == null ? j : j ** +e, new V(this.h, this.s, this.l * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? A : A ** +e, new V(this.h, this.s, this.l * e, this.opacity);
	},
	rgb() {
		var e = isNaN(this.h) ? 0 : (this.h + 120) * En, t = +this.l, n = isNaN(this.s) ? 0 : this.s * t * (1 - t), r = Math.cos(e), i = Math.sin(e);
		return new P(255 * (t + n * (Wn * r + Gn * i)), 255 * (t + n * (Kn * r + qn * i)), 255 * (t + Jn * r * n), this.opacity);
	}
}));
var er = (e) => () => e;
function tr(e, t) {
	return function(n) {
		return e + n * t;
	};
}
function nr(e, t, n) {
	return e **= +n, t = t ** +n - e, n = 1 / n, function(r) {
		return (e + r * t) ** +n;
	};
}
function rr(e, t) {
	var n = t - e;
	return n ? tr(e, n > 180 || n < -180 ? n - 360 * Math.round(n / 360) : n) : er(isNaN(e) ? t : e);
}
function ir(e) {
	return (e = +e) == 1 ? H : function(t, n) {
		return n - t ? nr(t, n, e) : er(isNaN(t) ? n : t);
	};
}
function H(e, t) {
	var n = t - e;
	return n ? tr(e, n) : er(isNaN(e) ? t : e);
}
var ar = (function e(t) {
	var n = ir(t);
	function r(e, t) {
		var r = n((e = hn(e)).r, (t = hn(t)).r), i = n(e.g, t.g), a = n(e.b, t.b), o = H(e.opacity, t.opacity);
		return function(t) {
			return e.r = r(t), e.g = i(t), e.b = a(t), e.opacity = o(t), e + "";
		};
	}
	return r.gamma = e, r;
})(1);
function U(e, t) {
	return e = +e, t = +t, function(n) {
		return e * (1 - n) + t * n;
	};
}
var or = /[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g, sr = new RegExp(or.source, "g");
function cr(e) {
	return function() {
		return e;
	};
}
function lr(e) {
	return function(t) {
		return e(t) + "";
	};
}
function ur(e, t) {
	var n = or.lastIndex = sr.lastIndex = 0, r, i, a, o = -1, s = [], c = [];
	for (e += "", t += ""; (r = or.exec(e)) && (i = sr.exec(t));) (a = i.index) > n && (a = t.slice(n, a), s[o] ? s[o] += a : s[++o] = a), (r = r[0]) === (i = i[0]) ? s[o] ? s[o] += i : s[++o] = i : (s[++o] = null, c.push({
		i: o,
		x: U(r, i)
	})), n = sr.lastIndex;
	return n < t.length && (a = t.slice(n), s[o] ? s[o] += a : s[++o] = a), s.length < 2 ? c[0] ? lr(c[0].x) : cr(t) : (t = c.length, function(e) {
		for (var n = 0, r; n < t; ++n) s[(r = c[n]).i] = r.x(e);
		return s.join("");
	});
}
var dr = 180 / Math.PI, fr = {
	translateX: 0,
	translateY: 0,
	rotate: 0,
	skewX: 0,
	scaleX: 1,
	scaleY: 1
};
function pr(e, t, n, r, i, a) {
	var o, s, c;
	return (o = Math.sqrt(e * e + t * t)) && (e /= o, t /= o), (c = e * n + t * r) && (n -= e * c, r -= t * c), (s = Math.sqrt(n * n + r * r)) && (n /= s, r /= s, c /= s), e * r < t * n && (e = -e, t = -t, c = -c, o = -o), {
		translateX: i,
		translateY: a,
		rotate: Math.atan2(t, e) * dr,
		skewX: Math.atan(c) * dr,
		scaleX: o,
		scaleY: s
	};
}
var mr;
function hr(e) {
	let t = new (typeof DOMMatrix == "function" ? DOMMatrix : WebKitCSSMatrix)(e + "");
	return t.isIdentity ? fr : pr(t.a, t.b, t.c, t.d, t.e, t.f);
}
function gr(e) {
	return e == null || (mr ||= document.createElementNS("http://www.w3.org/2000/svg", "g"), mr.setAttribute("transform", e), !(e = mr.transform.baseVal.consolidate())) ? fr : (e = e.matrix, pr(e.a, e.b, e.c, e.d, e.e, e.f));
}
function _r(e, t, n, r) {
	function i(e) {
		return e.length ? e.pop() + " " : "";
	}
	function a(e, r, i, a, o, s) {
		if (e !== i || r !== a) {
			var c = o.push("translate(", null, t, null, n);
			s.push({
				i: c - 4,
				x: U(e, i)
			}, {
				i: c - 2,
				x: U(r, a)
			});
		} else (i || a) && o.push("translate(" + i + t + a + n);
	}
	function o(e, t, n, a) {
		e === t ? t && n.push(i(n) + "rotate(" + t + r) : (e - t > 180 ? t += 360 : t - e > 180 && (e += 360), a.push({
			i: n.push(i(n) + "rotate(", null, r) - 2,
			x: U(e, t)
		}));
	}
	function s(e, t, n, a) {
		e === t ? t && n.push(i(n) + "skewX(" + t + r) : a.push({
			i: n.push(i(n) + "skewX(", null, r) - 2,
			x: U(e, t)
		});
	}
	function c(e, t, n, r, a, o) {
		if (e !== n || t !== r) {
			var s = a.push(i(a) + "scale(", null, ",", null, ")");
			o.push({
				i: s - 4,
				x: U(e, n)
			}, {
				i: s - 2,
				x: U(t, r)
			});
		} else (n !== 1 || r !== 1) && a.push(i(a) + "scale(" + n + "," + r + ")");
	}
	return function(t, n) {
		var r = [], i = [];
		return t = e(t), n = e(n), a(t.translateX, t.translateY, n.translateX, n.translateY, r, i), o(t.rotate, n.rotate, r, i), s(t.skewX, n.skewX, r, i), c(t.scaleX, t.scaleY, n.scaleX, n.scaleY, r, i), t = n = null, function(e) {
			for (var t = -1, n = i.length, a; ++t < n;) r[(a = i[t]).i] = a.x(e);
			return r.join("");
		};
	};
}
var vr = _r(hr, "px, ", "px)", "deg)"), yr = _r(gr, ", ", ")", ")"), br = 1e-12;
function xr(e) {
	return ((e = Math.exp(e)) + 1 / e) / 2;
}
function Sr(e) {
	return ((e = Math.exp(e)) - 1 / e) / 2;
}
function Cr(e) {
	return ((e = Math.exp(2 * e)) - 1) / (e + 1);
}
var wr = (function e(t, n, r) {
	function i(e, i) {
		var a = e[0], o = e[1], s = e[2], c = i[0], l = i[1], u = i[2], d = c - a, f = l - o, p = d * d + f * f, m, h;
		if (p < br) h = Math.log(u / s) / t, m = function(e) {
			return [
				a + e * d,
				o + e * f,
				s * Math.exp(t * e * h)
			];
		};
		else {
			var g = Math.sqrt(p), _ = (u * u - s * s + r * p) / (2 * s * n * g), v = (u * u - s * s - r * p) / (2 * u * n * g), y = Math.log(Math.sqrt(_ * _ + 1) - _);
			h = (Math.log(Math.sqrt(v * v + 1) - v) - y) / t, m = function(e) {
				var r = e * h, i = xr(y), c = s / (n * g) * (i * Cr(t * r + y) - Sr(y));
				return [
					a + c * d,
					o + c * f,
					s * i / xr(t * r + y)
				];
			};
		}
		return m.duration = Math.abs(h) * 1e3 * t / Math.SQRT2, m;
	}
	return i.rho = function(t) {
		var n = Math.max(.001, +t), r = n * n;
		return e(n, r, r * r);
	}, i;
})(Math.SQRT2, 2, 4);
function Tr(e) {
	return (function t(n) {
		n = +n;
		function r(t, r) {
			var i = e((t = $n(t)).h, (r = $n(r)).h), a = H(t.s, r.s), o = H(t.l, r.l), s = H(t.opacity, r.opacity);
			return function(e) {
				return t.h = i(e), t.s = a(e), t.l = o(e ** +n), t.opacity = s(e), t + "";
			};
		}
		return r.gamma = t, r;
	})(1);
}
Tr(rr), Tr(H);
// node_modules/d3-timer/dist/d3-timer.mjs
var W = 0, Er = 0, Dr = 0, Or = 1e3, kr, Ar, jr = 0, G = 0, Mr = 0, Nr = typeof performance == "object" && performance.now ? performance : Date, Pr = typeof window == "object" && window.requestAnimationFrame ? window.requestAnimationFrame.bind(window) : function(e) {
	setTimeout(e, 17);
};
function Fr() {
	return G ||= (Pr(Ir), Nr.now() + Mr);
}
function Ir() {
	G = 0;
}
function Lr() {
	this._call = this._time = this._next = null;
}
Lr.prototype = Rr.prototype = {
	constructor: Lr,
	restart: function(e, t, n) {
		if (typeof e != "function") throw TypeError("callback is not a function");
		n = (n == null ? Fr() : +n) + (t == null ? 0 : +t), !this._next && Ar !== this && (Ar ? Ar._next = this : kr = this, Ar = this), this._call = e, this._time = n, Ur();
	},
	stop: function() {
		this._call && (this._call = null, this._time = Infinity, Ur());
	}
};
function Rr(e, t, n) {
	var r = new Lr();
	return r.restart(e, t, n), r;
}
function zr() {
	Fr(), ++W;
	for (var e = kr, t; e;) (t = G - e._time) >= 0 && e._call.call(void 0, t), e = e._next;
	--W;
}
function Br() {
	G = (jr = Nr.now()) + Mr, W = Er = 0;
	try {
		zr();
	} finally {
		W = 0, Hr(), G = 0;
	}
}
function Vr() {
	var e = Nr.now(), t = e - jr;
	t > Or && (Mr -= t, jr = e);
}
function Hr() {
	for (var e, t = kr, n, r = Infinity; t;) t._call ? (r > t._time && (r = t._time), e = t, t = t._next) : (n = t._next, t._next = null, t = e ? e._next = n : kr = n);
	Ar = e, Ur(r);
}
function Ur(e) {
	W || (Er &&= clearTimeout(Er), e - G > 24 ? (e < Infinity && (Er = setTimeout(Br, Math.ceil(e - Nr.now() - Mr) + 1)), Dr &&= clearInterval(Dr)) : (Dr ||= (jr = Nr.now(), setInterval(Vr, Or)), W = 1, Pr(Br)));
}
function Wr(e, t, n) {
	var r = new Lr();
	return t = t == null ? 0 : +t, r.restart((n) => {
		r.stop(), e(n + t);
	}, t, n), r;
}
// node_modules/d3-ease/dist/d3-ease.mjs
function Gr(e) {
	return ((e *= 2) <= 1 ? e * e * e : (e -= 2) * e * e + 2) / 2;
}
var Kr = 3;
(function e(t) {
	t = +t;
	function n(e) {
		return e ** +t;
	}
	return n.exponent = e, n;
})(Kr), (function e(t) {
	t = +t;
	function n(e) {
		return 1 - (1 - e) ** t;
	}
	return n.exponent = e, n;
})(Kr), (function e(t) {
	t = +t;
	function n(e) {
		return ((e *= 2) <= 1 ? e ** +t : 2 - (2 - e) ** t) / 2;
	}
	return n.exponent = e, n;
})(Kr);
function qr(e) {
	return (2 ** (-10 * e) - .0009765625) * 1.0009775171065494;
}
var Jr = 4 / 11;
1 / Jr / Jr;
var Yr = 1.70158;
(function e(t) {
	t = +t;
	function n(e) {
		return (e = +e) * e * (t * (e - 1) + e);
	}
	return n.overshoot = e, n;
})(Yr), (function e(t) {
	t = +t;
	function n(e) {
		return --e * e * ((e + 1) * t + e) + 1;
	}
	return n.overshoot = e, n;
})(Yr), (function e(t) {
	t = +t;
	function n(e) {
		return ((e *= 2) < 1 ? e * e * ((t + 1) * e - t) : (e -= 2) * e * ((t + 1) * e + t) + 2) / 2;
	}
	return n.overshoot = e, n;
})(Yr);
var K = 2 * Math.PI, Xr = 1, Zr = .3;
(function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= K);
	function i(e) {
		return t * qr(- --e) * Math.sin((r - e) / n);
	}
	return i.amplitude = function(t) {
		return e(t, n * K);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(Xr, Zr), (function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= K);
	function i(e) {
		return 1 - t * qr(e = +e) * Math.sin((e + r) / n);
	}
	return i.amplitude = function(t) {
		return e(t, n * K);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(Xr, Zr), (function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= K);
	function i(e) {
		return ((e = e * 2 - 1) < 0 ? t * qr(-e) * Math.sin((r - e) / n) : 2 - t * qr(e) * Math.sin((r + e) / n)) / 2;
	}
	return i.amplitude = function(t) {
		return e(t, n * K);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(Xr, Zr);
// node_modules/d3-transition/dist/d3-transition.mjs
var Qr = Vt("start", "end", "cancel", "interrupt"), $r = [], ei = 0, ti = 1, ni = 2, ri = 3, ii = 4, ai = 5, oi = 6;
function si(e, t, n, r, i, a) {
	var o = e.__transition;
	if (!o) e.__transition = {};
	else if (n in o) return;
	li(e, n, {
		name: t,
		index: r,
		group: i,
		on: Qr,
		tween: $r,
		time: a.time,
		delay: a.delay,
		duration: a.duration,
		ease: a.ease,
		timer: null,
		state: ei
	});
}
function ci(e, t) {
	var n = J(e, t);
	if (n.state > ei) throw Error("too late; already scheduled");
	return n;
}
function q(e, t) {
	var n = J(e, t);
	if (n.state > ri) throw Error("too late; already running");
	return n;
}
function J(e, t) {
	var n = e.__transition;
	if (!n || !(n = n[t])) throw Error("transition not found");
	return n;
}
function li(e, t, n) {
	var r = e.__transition, i;
	r[t] = n, n.timer = Rr(a, 0, n.time);
	function a(e) {
		n.state = ti, n.timer.restart(o, n.delay, n.time), n.delay <= e && o(e - n.delay);
	}
	function o(a) {
		var l, u, d, f;
		if (n.state !== ti) return c();
		for (l in r) if (f = r[l], f.name === n.name) {
			if (f.state === ri) return Wr(o);
			f.state === ii ? (f.state = oi, f.timer.stop(), f.on.call("interrupt", e, e.__data__, f.index, f.group), delete r[l]) : +l < t && (f.state = oi, f.timer.stop(), f.on.call("cancel", e, e.__data__, f.index, f.group), delete r[l]);
		}
		if (Wr(function() {
			n.state === ri && (n.state = ii, n.timer.restart(s, n.delay, n.time), s(a));
		}), n.state = ni, n.on.call("start", e, e.__data__, n.index, n.group), n.state === ni) {
			for (n.state = ri, i = Array(d = n.tween.length), l = 0, u = -1; l < d; ++l) (f = n.tween[l].value.call(e, e.__data__, n.index, n.group)) && (i[++u] = f);
			i.length = u + 1;
		}
	}
	function s(t) {
		for (var r = t < n.duration ? n.ease.call(null, t / n.duration) : (n.timer.restart(c), n.state = ai, 1), a = -1, o = i.length; ++a < o;) i[a].call(e, r);
		n.state === ai && (n.on.call("end", e, e.__data__, n.index, n.group), c());
	}
	function c() {
		for (var i in n.state = oi, n.timer.stop(), delete r[t], r) return;
		delete e.__transition;
	}
}
function ui(e, t) {
	var n = e.__transition, r, i, a = !0, o;
	if (n) {
		for (o in t = t == null ? null : t + "", n) (r = n[o]).name === t ? (i = r.state > ni && r.state < ai, r.state = oi, r.timer.stop(), r.on.call(i ? "interrupt" : "cancel", e, e.__data__, r.index, r.group), delete n[o]) : a = !1;
		a && delete e.__transition;
	}
}
function di(e) {
	return this.each(function() {
		ui(this, e);
	});
}
function fi(e, t) {
	var n, r;
	return function() {
		var i = q(this, e), a = i.tween;
		if (a !== n) {
			r = n = a;
			for (var o = 0, s = r.length; o < s; ++o) if (r[o].name === t) {
				r = r.slice(), r.splice(o, 1);
				break;
			}
		}
		i.tween = r;
	};
}
function pi(e, t, n) {
	var r, i;
	if (typeof n != "function") throw Error();
	return function() {
		var a = q(this, e), o = a.tween;
		if (o !== r) {
			i = (r = o).slice();
			for (var s = {
				name: t,
				value: n
			}, c = 0, l = i.length; c < l; ++c) if (i[c].name === t) {
				i[c] = s;
				break;
			}
			c === l && i.push(s);
		}
		a.tween = i;
	};
}
function mi(e, t) {
	var n = this._id;
	if (e += "", arguments.length < 2) {
		for (var r = J(this.node(), n).tween, i = 0, a = r.length, o; i < a; ++i) if ((o = r[i]).name === e) return o.value;
		return null;
	}
	return this.each((t == null ? fi : pi)(n, e, t));
}
function hi(e, t, n) {
	var r = e._id;
	return e.each(function() {
		var e = q(this, r);
		(e.value ||= {})[t] = n.apply(this, arguments);
	}), function(e) {
		return J(e, r).value[t];
	};
}
function gi(e, t) {
	var n;
	return (typeof t == "number" ? U : t instanceof dn ? ar : (n = dn(t)) ? (t = n, ar) : ur)(e, t);
}
function _i(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function vi(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function yi(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = this.getAttribute(e);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function bi(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = this.getAttributeNS(e.space, e.local);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function xi(e, t, n) {
	var r, i, a;
	return function() {
		var o, s = n(this), c;
		return s == null ? void this.removeAttribute(e) : (o = this.getAttribute(e), c = s + "", o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s)));
	};
}
function Si(e, t, n) {
	var r, i, a;
	return function() {
		var o, s = n(this), c;
		return s == null ? void this.removeAttributeNS(e.space, e.local) : (o = this.getAttributeNS(e.space, e.local), c = s + "", o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s)));
	};
}
function Ci(e, t) {
	var n = u(e), r = n === "transform" ? yr : gi;
	return this.attrTween(e, typeof t == "function" ? (n.local ? Si : xi)(n, r, hi(this, "attr." + e, t)) : t == null ? (n.local ? vi : _i)(n) : (n.local ? bi : yi)(n, r, t));
}
function wi(e, t) {
	return function(n) {
		this.setAttribute(e, t.call(this, n));
	};
}
function Ti(e, t) {
	return function(n) {
		this.setAttributeNS(e.space, e.local, t.call(this, n));
	};
}
function Ei(e, t) {
	var n, r;
	function i() {
		var i = t.apply(this, arguments);
		return i !== r && (n = (r = i) && Ti(e, i)), n;
	}
	return i._value = t, i;
}
function Di(e, t) {
	var n, r;
	function i() {
		var i = t.apply(this, arguments);
		return i !== r && (n = (r = i) && wi(e, i)), n;
	}
	return i._value = t, i;
}
function Oi(e, t) {
	var n = "attr." + e;
	if (arguments.length < 2) return (n = this.tween(n)) && n._value;
	if (t == null) return this.tween(n, null);
	if (typeof t != "function") throw Error();
	var r = u(e);
	return this.tween(n, (r.local ? Ei : Di)(r, t));
}
function ki(e, t) {
	return function() {
		ci(this, e).delay = +t.apply(this, arguments);
	};
}
function Ai(e, t) {
	return t = +t, function() {
		ci(this, e).delay = t;
	};
}
function ji(e) {
	var t = this._id;
	return arguments.length ? this.each((typeof e == "function" ? ki : Ai)(t, e)) : J(this.node(), t).delay;
}
function Mi(e, t) {
	return function() {
		q(this, e).duration = +t.apply(this, arguments);
	};
}
function Ni(e, t) {
	return t = +t, function() {
		q(this, e).duration = t;
	};
}
function Pi(e) {
	var t = this._id;
	return arguments.length ? this.each((typeof e == "function" ? Mi : Ni)(t, e)) : J(this.node(), t).duration;
}
function Fi(e, t) {
	if (typeof t != "function") throw Error();
	return function() {
		q(this, e).ease = t;
	};
}
function Ii(e) {
	var t = this._id;
	return arguments.length ? this.each(Fi(t, e)) : J(this.node(), t).ease;
}
function Li(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		if (typeof n != "function") throw Error();
		q(this, e).ease = n;
	};
}
function Ri(e) {
	if (typeof e != "function") throw Error();
	return this.each(Li(this._id, e));
}
function zi(e) {
	typeof e != "function" && (e = S(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new Y(r, this._parents, this._name, this._id);
}
function Bi(e) {
	if (e._id !== this._id) throw Error();
	for (var t = this._groups, n = e._groups, r = t.length, i = n.length, a = Math.min(r, i), o = Array(r), s = 0; s < a; ++s) for (var c = t[s], l = n[s], u = c.length, d = o[s] = Array(u), f, p = 0; p < u; ++p) (f = c[p] || l[p]) && (d[p] = f);
	for (; s < r; ++s) o[s] = t[s];
	return new Y(o, this._parents, this._name, this._id);
}
function Vi(e) {
	return (e + "").trim().split(/^|\s+/).every(function(e) {
		var t = e.indexOf(".");
		return t >= 0 && (e = e.slice(0, t)), !e || e === "start";
	});
}
function Hi(e, t, n) {
	var r, i, a = Vi(t) ? ci : q;
	return function() {
		var o = a(this, e), s = o.on;
		s !== r && (i = (r = s).copy()).on(t, n), o.on = i;
	};
}
function Ui(e, t) {
	var n = this._id;
	return arguments.length < 2 ? J(this.node(), n).on.on(e) : this.each(Hi(n, e, t));
}
function Wi(e) {
	return function() {
		var t = this.parentNode;
		for (var n in this.__transition) if (+n !== e) return;
		t && t.removeChild(this);
	};
}
function Gi() {
	return this.on("end.remove", Wi(this._id));
}
function Ki(e) {
	var t = this._name, n = this._id;
	typeof e != "function" && (e = h(e));
	for (var r = this._groups, i = r.length, a = Array(i), o = 0; o < i; ++o) for (var s = r[o], c = s.length, l = a[o] = Array(c), u, d, f = 0; f < c; ++f) (u = s[f]) && (d = e.call(u, u.__data__, f, s)) && ("__data__" in u && (d.__data__ = u.__data__), l[f] = d, si(l[f], t, n, f, l, J(u, n)));
	return new Y(a, this._parents, t, n);
}
function qi(e) {
	var t = this._name, n = this._id;
	typeof e != "function" && (e = y(e));
	for (var r = this._groups, i = r.length, a = [], o = [], s = 0; s < i; ++s) for (var c = r[s], l = c.length, u, d = 0; d < l; ++d) if (u = c[d]) {
		for (var f = e.call(u, u.__data__, d, c), p, m = J(u, n), h = 0, g = f.length; h < g; ++h) (p = f[h]) && si(p, t, n, h, f, m);
		a.push(f), o.push(u);
	}
	return new Y(a, o, t, n);
}
var Ji = Pt.prototype.constructor;
function Yi() {
	return new Ji(this._groups, this._parents);
}
function Xi(e, t) {
	var n, r, i;
	return function() {
		var a = C(this, e), o = (this.style.removeProperty(e), C(this, e));
		return a === o ? null : a === n && o === r ? i : i = t(n = a, r = o);
	};
}
function Zi(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function Qi(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = C(this, e);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function $i(e, t, n) {
	var r, i, a;
	return function() {
		var o = C(this, e), s = n(this), c = s + "";
		return s ?? (c = s = (this.style.removeProperty(e), C(this, e))), o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s));
	};
}
function ea(e, t) {
	var n, r, i, a = "style." + t, o = "end." + a, s;
	return function() {
		var c = q(this, e), l = c.on, u = c.value[a] == null ? s ||= Zi(t) : void 0;
		(l !== n || i !== u) && (r = (n = l).copy()).on(o, i = u), c.on = r;
	};
}
function ta(e, t, n) {
	var r = (e += "") == "transform" ? vr : gi;
	return t == null ? this.styleTween(e, Xi(e, r)).on("end.style." + e, Zi(e)) : typeof t == "function" ? this.styleTween(e, $i(e, r, hi(this, "style." + e, t))).each(ea(this._id, e)) : this.styleTween(e, Qi(e, r, t), n).on("end.style." + e, null);
}
function na(e, t, n) {
	return function(r) {
		this.style.setProperty(e, t.call(this, r), n);
	};
}
function ra(e, t, n) {
	var r, i;
	function a() {
		var a = t.apply(this, arguments);
		return a !== i && (r = (i = a) && na(e, a, n)), r;
	}
	return a._value = t, a;
}
function ia(e, t, n) {
	var r = "style." + (e += "");
	if (arguments.length < 2) return (r = this.tween(r)) && r._value;
	if (t == null) return this.tween(r, null);
	if (typeof t != "function") throw Error();
	return this.tween(r, ra(e, t, n ?? ""));
}
function aa(e) {
	return function() {
		this.textContent = e;
	};
}
function oa(e) {
	return function() {
		var t = e(this);
		this.textContent = t ?? "";
	};
}
function sa(e) {
	return this.tween("text", typeof e == "function" ? oa(hi(this, "text", e)) : aa(e == null ? "" : e + ""));
}
function ca(e) {
	return function(t) {
		this.textContent = e.call(this, t);
	};
}
function la(e) {
	var t, n;
	function r() {
		var r = e.apply(this, arguments);
		return r !== n && (t = (n = r) && ca(r)), t;
	}
	return r._value = e, r;
}
function ua(e) {
	var t = "text";
	if (arguments.length < 1) return (t = this.tween(t)) && t._value;
	if (e == null) return this.tween(t, null);
	if (typeof e != "function") throw Error();
	return this.tween(t, la(e));
}
function da() {
	for (var e = this._name, t = this._id, n = ma(), r = this._groups, i = r.length, a = 0; a < i; ++a) for (var o = r[a], s = o.length, c, l = 0; l < s; ++l) if (c = o[l]) {
		var u = J(c, t);
		si(c, e, n, l, o, {
			time: u.time + u.delay + u.duration,
			delay: 0,
			duration: u.duration,
			ease: u.ease
		});
	}
	return new Y(r, this._parents, e, n);
}
function fa() {
	var e, t, n = this, r = n._id, i = n.size();
	return new Promise(function(a, o) {
		var s = { value: o }, c = { value: function() {
			--i === 0 && a();
		} };
		n.each(function() {
			var n = q(this, r), i = n.on;
			i !== e && (t = (e = i).copy(), t._.cancel.push(s), t._.interrupt.push(s), t._.end.push(c)), n.on = t;
		}), i === 0 && a();
	});
}
var pa = 0;
function Y(e, t, n, r) {
	this._groups = e, this._parents = t, this._name = n, this._id = r;
}
function ma() {
	return ++pa;
}
var X = Pt.prototype;
Y.prototype = {
	constructor: Y,
	select: Ki,
	selectAll: qi,
	selectChild: X.selectChild,
	selectChildren: X.selectChildren,
	filter: zi,
	merge: Bi,
	selection: Yi,
	transition: da,
	call: X.call,
	nodes: X.nodes,
	node: X.node,
	size: X.size,
	empty: X.empty,
	each: X.each,
	on: Ui,
	attr: Ci,
	attrTween: Oi,
	style: ta,
	styleTween: ia,
	text: sa,
	textTween: ua,
	remove: Gi,
	tween: mi,
	delay: ji,
	duration: Pi,
	ease: Ii,
	easeVarying: Ri,
	end: fa,
	[Symbol.iterator]: X[Symbol.iterator]
};
var ha = {
	time: null,
	delay: 0,
	duration: 250,
	ease: Gr
};
function ga(e, t) {
	for (var n; !(n = e.__transition) || !(n = n[t]);) if (!(e = e.parentNode)) throw Error(`transition ${t} not found`);
	return n;
}
function _a(e) {
	var t, n;
	e instanceof Y ? (t = e._id, e = e._name) : (t = ma(), (n = ha).time = Fr(), e = e == null ? null : e + "");
	for (var r = this._groups, i = r.length, a = 0; a < i; ++a) for (var o = r[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && si(c, e, t, l, o, n || ga(c, t));
	return new Y(r, this._parents, e, t);
}
Pt.prototype.interrupt = di, Pt.prototype.transition = _a;
// node_modules/d3-zoom/dist/d3-zoom.mjs
var va = (e) => () => e;
function ya(e, { sourceEvent: t, target: n, transform: r, dispatch: i }) {
	Object.defineProperties(this, {
		type: {
			value: e,
			enumerable: !0,
			configurable: !0
		},
		sourceEvent: {
			value: t,
			enumerable: !0,
			configurable: !0
		},
		target: {
			value: n,
			enumerable: !0,
			configurable: !0
		},
		transform: {
			value: r,
			enumerable: !0,
			configurable: !0
		},
		_: { value: i }
	});
}
function Z(e, t, n) {
	this.k = e, this.x = t, this.y = n;
}
Z.prototype = {
	constructor: Z,
	scale: function(e) {
		return e === 1 ? this : new Z(this.k * e, this.x, this.y);
	},
	translate: function(e, t) {
		return e === 0 & t === 0 ? this : new Z(this.k, this.x + this.k * e, this.y + this.k * t);
	},
	apply: function(e) {
		return [e[0] * this.k + this.x, e[1] * this.k + this.y];
	},
	applyX: function(e) {
		return e * this.k + this.x;
	},
	applyY: function(e) {
		return e * this.k + this.y;
	},
	invert: function(e) {
		return [(e[0] - this.x) / this.k, (e[1] - this.y) / this.k];
	},
	invertX: function(e) {
		return (e - this.x) / this.k;
	},
	invertY: function(e) {
		return (e - this.y) / this.k;
	},
	rescaleX: function(e) {
		return e.copy().domain(e.range().map(this.invertX, this).map(e.invert, e));
	},
	rescaleY: function(e) {
		return e.copy().domain(e.range().map(this.invertY, this).map(e.invert, e));
	},
	toString: function() {
		return "translate(" + this.x + "," + this.y + ") scale(" + this.k + ")";
	}
};
var Q = new Z(1, 0, 0);
ba.prototype = Z.prototype;
function ba(e) {
	for (; !e.__zoom;) if (!(e = e.parentNode)) return Q;
	return e.__zoom;
}
function xa(e) {
	e.stopImmediatePropagation();
}
function Sa(e) {
	e.preventDefault(), e.stopImmediatePropagation();
}
function Ca(e) {
	return (!e.ctrlKey || e.type === "wheel") && !e.button;
}
function wa() {
	var e = this;
	return e instanceof SVGElement ? (e = e.ownerSVGElement || e, e.hasAttribute("viewBox") ? (e = e.viewBox.baseVal, [[e.x, e.y], [e.x + e.width, e.y + e.height]]) : [[0, 0], [e.width.baseVal.value, e.height.baseVal.value]]) : [[0, 0], [e.clientWidth, e.clientHeight]];
}
function Ta() {
	return this.__zoom || Q;
}
function Ea(e) {
	return -e.deltaY * (e.deltaMode === 1 ? .05 : e.deltaMode ? 1 : .002) * (e.ctrlKey ? 10 : 1);
}
function Da() {
	return navigator.maxTouchPoints || "ontouchstart" in this;
}
function Oa(e, t, n) {
	var r = e.invertX(t[0][0]) - n[0][0], i = e.invertX(t[1][0]) - n[1][0], a = e.invertY(t[0][1]) - n[0][1], o = e.invertY(t[1][1]) - n[1][1];
	return e.translate(i > r ? (r + i) / 2 : Math.min(0, r) || Math.max(0, i), o > a ? (a + o) / 2 : Math.min(0, a) || Math.max(0, o));
}
function ka() {
	var e = Ca, t = wa, n = Oa, r = Ea, i = Da, a = [0, Infinity], o = [[-Infinity, -Infinity], [Infinity, Infinity]], s = 250, c = wr, l = Vt("start", "zoom", "end"), u, d, f, p = 500, m = 150, h = 0, g = 10;
	function _(e) {
		e.property("__zoom", Ta).on("wheel.zoom", te, { passive: !1 }).on("mousedown.zoom", ne).on("dblclick.zoom", re).filter(i).on("touchstart.zoom", ie).on("touchmove.zoom", ae).on("touchend.zoom touchcancel.zoom", oe).style("-webkit-tap-highlight-color", "rgba(0,0,0,0)");
	}
	_.transform = function(e, t, n, r) {
		var i = e.selection ? e.selection() : e;
		i.property("__zoom", Ta), e === i ? i.interrupt().each(function() {
			S(this, arguments).event(r).start().zoom(null, typeof t == "function" ? t.apply(this, arguments) : t).end();
		}) : x(e, t, n, r);
	}, _.scaleBy = function(e, t, n, r) {
		_.scaleTo(e, function() {
			return this.__zoom.k * (typeof t == "function" ? t.apply(this, arguments) : t);
		}, n, r);
	}, _.scaleTo = function(e, r, i, a) {
		_.transform(e, function() {
			var e = t.apply(this, arguments), a = this.__zoom, s = i == null ? b(e) : typeof i == "function" ? i.apply(this, arguments) : i, c = a.invert(s), l = typeof r == "function" ? r.apply(this, arguments) : r;
			return n(y(v(a, l), s, c), e, o);
		}, i, a);
	}, _.translateBy = function(e, r, i, a) {
		_.transform(e, function() {
			return n(this.__zoom.translate(typeof r == "function" ? r.apply(this, arguments) : r, typeof i == "function" ? i.apply(this, arguments) : i), t.apply(this, arguments), o);
		}, null, a);
	}, _.translateTo = function(e, r, i, a, s) {
		_.transform(e, function() {
			var e = t.apply(this, arguments), s = this.__zoom, c = a == null ? b(e) : typeof a == "function" ? a.apply(this, arguments) : a;
			return n(Q.translate(c[0], c[1]).scale(s.k).translate(typeof r == "function" ? -r.apply(this, arguments) : -r, typeof i == "function" ? -i.apply(this, arguments) : -i), e, o);
		}, a, s);
	};
	function v(e, t) {
		return t = Math.max(a[0], Math.min(a[1], t)), t === e.k ? e : new Z(t, e.x, e.y);
	}
	function y(e, t, n) {
		var r = t[0] - n[0] * e.k, i = t[1] - n[1] * e.k;
		return r === e.x && i === e.y ? e : new Z(e.k, r, i);
	}
	function b(e) {
		return [(+e[0][0] + +e[1][0]) / 2, (+e[0][1] + +e[1][1]) / 2];
	}
	function x(e, n, r, i) {
		e.on("start.zoom", function() {
			S(this, arguments).event(i).start();
		}).on("interrupt.zoom end.zoom", function() {
			S(this, arguments).event(i).end();
		}).tween("zoom", function() {
			var e = this, a = arguments, o = S(e, a).event(i), s = t.apply(e, a), l = r == null ? b(s) : typeof r == "function" ? r.apply(e, a) : r, u = Math.max(s[1][0] - s[0][0], s[1][1] - s[0][1]), d = e.__zoom, f = typeof n == "function" ? n.apply(e, a) : n, p = c(d.invert(l).concat(u / d.k), f.invert(l).concat(u / f.k));
			return function(e) {
				if (e === 1) e = f;
				else {
					var t = p(e), n = u / t[2];
					e = new Z(n, l[0] - t[0] * n, l[1] - t[1] * n);
				}
				o.zoom(null, e);
			};
		});
	}
	function S(e, t, n) {
		return !n && e.__zooming || new ee(e, t);
	}
	function ee(e, n) {
		this.that = e, this.args = n, this.active = 0, this.sourceEvent = null, this.extent = t.apply(e, n), this.taps = 0;
	}
	ee.prototype = {
		event: function(e) {
			return e && (this.sourceEvent = e), this;
		},
		start: function() {
			return ++this.active === 1 && (this.that.__zooming = this, this.emit("start")), this;
		},
		zoom: function(e, t) {
			return this.mouse && e !== "mouse" && (this.mouse[1] = t.invert(this.mouse[0])), this.touch0 && e !== "touch" && (this.touch0[1] = t.invert(this.touch0[0])), this.touch1 && e !== "touch" && (this.touch1[1] = t.invert(this.touch1[0])), this.that.__zoom = t, this.emit("zoom"), this;
		},
		end: function() {
			return --this.active === 0 && (delete this.that.__zooming, this.emit("end")), this;
		},
		emit: function(e) {
			var t = T(this.that).datum();
			l.call(e, this.that, new ya(e, {
				sourceEvent: this.sourceEvent,
				target: _,
				transform: this.that.__zoom,
				dispatch: l
			}), t);
		}
	};
	function te(t, ...i) {
		if (!e.apply(this, arguments)) return;
		var s = S(this, i).event(t), c = this.__zoom, l = Math.max(a[0], Math.min(a[1], c.k * 2 ** r.apply(this, arguments))), u = E(t);
		if (s.wheel) (s.mouse[0][0] !== u[0] || s.mouse[0][1] !== u[1]) && (s.mouse[1] = c.invert(s.mouse[0] = u)), clearTimeout(s.wheel);
		else if (c.k === l) return;
		else s.mouse = [u, c.invert(u)], ui(this), s.start();
		Sa(t), s.wheel = setTimeout(d, m), s.zoom("mouse", n(y(v(c, l), s.mouse[0], s.mouse[1]), s.extent, o));
		function d() {
			s.wheel = null, s.end();
		}
	}
	function ne(t, ...r) {
		if (f || !e.apply(this, arguments)) return;
		var i = t.currentTarget, a = S(this, r, !0).event(t), s = T(t.view).on("mousemove.zoom", d, !0).on("mouseup.zoom", p, !0), c = E(t, i), l = t.clientX, u = t.clientY;
		Jt(t.view), xa(t), a.mouse = [c, this.__zoom.invert(c)], ui(this), a.start();
		function d(e) {
			if (Sa(e), !a.moved) {
				var t = e.clientX - l, r = e.clientY - u;
				a.moved = t * t + r * r > h;
			}
			a.event(e).zoom("mouse", n(y(a.that.__zoom, a.mouse[0] = E(e, i), a.mouse[1]), a.extent, o));
		}
		function p(e) {
			s.on("mousemove.zoom mouseup.zoom", null), Yt(e.view, a.moved), Sa(e), a.event(e).end();
		}
	}
	function re(r, ...i) {
		if (e.apply(this, arguments)) {
			var a = this.__zoom, c = E(r.changedTouches ? r.changedTouches[0] : r, this), l = a.invert(c), u = a.k * (r.shiftKey ? .5 : 2), d = n(y(v(a, u), c, l), t.apply(this, i), o);
			Sa(r), s > 0 ? T(this).transition().duration(s).call(x, d, c, r) : T(this).call(_.transform, d, c, r);
		}
	}
	function ie(t, ...n) {
		if (e.apply(this, arguments)) {
			var r = t.touches, i = r.length, a = S(this, n, t.changedTouches.length === i).event(t), o, s, c, l;
			for (xa(t), s = 0; s < i; ++s) c = r[s], l = E(c, this), l = [
				l,
				this.__zoom.invert(l),
				c.identifier
			], a.touch0 ? !a.touch1 && a.touch0[2] !== l[2] && (a.touch1 = l, a.taps = 0) : (a.touch0 = l, o = !0, a.taps = 1 + !!u);
			u &&= clearTimeout(u), o && (a.taps < 2 && (d = l[0], u = setTimeout(function() {
				u = null;
			}, p)), ui(this), a.start());
		}
	}
	function ae(e, ...t) {
		if (this.__zooming) {
			var r = S(this, t).event(e), i = e.changedTouches, a = i.length, s, c, l, u;
			for (Sa(e), s = 0; s < a; ++s) c = i[s], l = E(c, this), r.touch0 && r.touch0[2] === c.identifier ? r.touch0[0] = l : r.touch1 && r.touch1[2] === c.identifier && (r.touch1[0] = l);
			if (c = r.that.__zoom, r.touch1) {
				var d = r.touch0[0], f = r.touch0[1], p = r.touch1[0], m = r.touch1[1], h = (h = p[0] - d[0]) * h + (h = p[1] - d[1]) * h, g = (g = m[0] - f[0]) * g + (g = m[1] - f[1]) * g;
				c = v(c, Math.sqrt(h / g)), l = [(d[0] + p[0]) / 2, (d[1] + p[1]) / 2], u = [(f[0] + m[0]) / 2, (f[1] + m[1]) / 2];
			} else if (r.touch0) l = r.touch0[0], u = r.touch0[1];
			else return;
			r.zoom("touch", n(y(c, l, u), r.extent, o));
		}
	}
	function oe(e, ...t) {
		if (this.__zooming) {
			var n = S(this, t).event(e), r = e.changedTouches, i = r.length, a, o;
			for (xa(e), f && clearTimeout(f), f = setTimeout(function() {
				f = null;
			}, p), a = 0; a < i; ++a) o = r[a], n.touch0 && n.touch0[2] === o.identifier ? delete n.touch0 : n.touch1 && n.touch1[2] === o.identifier && delete n.touch1;
			if (n.touch1 && !n.touch0 && (n.touch0 = n.touch1, delete n.touch1), n.touch0) n.touch0[1] = this.__zoom.invert(n.touch0[0]);
			else if (n.end(), n.taps === 2 && (o = E(o, this), Math.hypot(d[0] - o[0], d[1] - o[1]) < g)) {
				var s = T(this).on("dblclick.zoom");
				s && s.apply(this, arguments);
			}
		}
	}
	return _.wheelDelta = function(e) {
		return arguments.length ? (r = typeof e == "function" ? e : va(+e), _) : r;
	}, _.filter = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : va(!!t), _) : e;
	}, _.touchable = function(e) {
		return arguments.length ? (i = typeof e == "function" ? e : va(!!e), _) : i;
	}, _.extent = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : va([[+e[0][0], +e[0][1]], [+e[1][0], +e[1][1]]]), _) : t;
	}, _.scaleExtent = function(e) {
		return arguments.length ? (a[0] = +e[0], a[1] = +e[1], _) : [a[0], a[1]];
	}, _.translateExtent = function(e) {
		return arguments.length ? (o[0][0] = +e[0][0], o[1][0] = +e[1][0], o[0][1] = +e[0][1], o[1][1] = +e[1][1], _) : [[o[0][0], o[0][1]], [o[1][0], o[1][1]]];
	}, _.constrain = function(e) {
		return arguments.length ? (n = e, _) : n;
	}, _.duration = function(e) {
		return arguments.length ? (s = +e, _) : s;
	}, _.interpolate = function(e) {
		return arguments.length ? (c = e, _) : c;
	}, _.on = function() {
		var e = l.on.apply(l, arguments);
		return e === l ? _ : e;
	}, _.clickDistance = function(e) {
		return arguments.length ? (h = (e = +e) * e, _) : Math.sqrt(h);
	}, _.tapDistance = function(e) {
		return arguments.length ? (g = +e, _) : g;
	}, _;
}
// src/colours.ts
var Aa = {
	low: [
		214,
		96,
		77
	],
	middle: [
		240,
		240,
		240
	],
	high: [
		67,
		147,
		195
	]
}, ja = {
	low: [
		196,
		84,
		68
	],
	middle: [
		78,
		84,
		96
	],
	high: [
		62,
		136,
		196
	]
};
function Ma() {
	let e = document.documentElement.dataset.theme;
	return e ? e === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
var Na = class {
	draw = 0;
	half = 0;
	see(e, t) {
		if (this.draw = e.draw ?? 0, !t) return;
		let n = o(e.range?.[0]), r = o(e.range?.[1]), i = [];
		for (let e = 0; e < t.count; e++) {
			let a = t.value[e];
			Number.isFinite(a) && a > n && a < r && i.push(Math.abs(a - this.draw));
		}
		i.sort((e, t) => e - t);
		let a = i[Math.floor(i.length * .9)] ?? 0, s = Number.isFinite(r - n) ? .025 * (r - n) : 1;
		this.half = Math.max(this.half, a, s);
	}
	place(e) {
		if (e === Infinity) return 1;
		if (e === -Infinity) return 0;
		let t = this.half || 1;
		return Math.min(1, Math.max(0, .5 + (e - this.draw) / (2 * t)));
	}
	rgb(e, t = Ma()) {
		let n = t ? ja : Aa, r = this.place(e), i = r >= .5 ? n.high : n.low, a = Math.abs(2 * r - 1);
		return n.middle.map((e, t) => Math.round(e + (i[t] - e) * a));
	}
	css(e, t = 1) {
		let [n, r, i] = this.rgb(e);
		return `rgba(${n},${r},${i},${t})`;
	}
};
function Pa(e = Ma()) {
	return e ? "#f2f4f8" : "#14181f";
}
// src/types.ts
function Fa(e) {
	let t = new DataView(e).getUint32(0, !0);
	return {
		head: JSON.parse(new TextDecoder().decode(new Uint8Array(e, 4, t))),
		blocks: Ia(e, 4 + t)
	};
}
function Ia(e, t) {
	let n = (e.byteLength - t) / 32, r = (r) => new Uint32Array(e, t + r * 4 * n, n), i = (r) => new Float32Array(e, t + r * 4 * n, n);
	return {
		count: n,
		parent: r(0),
		place: r(1),
		left: i(2),
		width: i(3),
		value: i(4),
		size: r(5),
		mark: r(6),
		merged: r(7)
	};
}
function La(e, t) {
	let n = [];
	for (; t > 0;) n.push(e.place[t]), t = e.parent[t];
	return n.reverse();
}
// src/icicle.ts
var $ = 24;
function Ra(e, t) {
	return `Blue is good for ${e}, red for ${t}. Pale blocks rest on few nodes; a line below a block: its value is certain.`;
}
var za = class {
	asks;
	least;
	most;
	element;
	scale = new Na();
	drawn = 0;
	onDraw = () => {};
	canvas = e("canvas", {
		tabindex: 0,
		role: "img",
		"aria-label": "The whole tree: no search yet"
	});
	said = e("p", { class: "said" }, Ra("Max", "Min"));
	frame = null;
	whole = null;
	transform = Q;
	behaviour;
	waiting = 0;
	asked = 0;
	hover = -1;
	meaning = Ra("Max", "Min");
	selected = "";
	marked = /* @__PURE__ */ new Map();
	wide = 600;
	tall = 300;
	rows = 0;
	constructor(t, n = 150, r = 430) {
		this.asks = t, this.least = n, this.most = r, this.element = e("div", { class: "icicle" }, this.canvas, this.said), this.behaviour = ka().scaleExtent([1, 1e6]).on("zoom", (e) => {
			this.transform = e.transform, this.redraw(), this.ask();
		}), T(this.canvas).call(this.behaviour).on("dblclick.zoom", null), new ResizeObserver(() => this.resize()).observe(this.element), this.canvas.addEventListener("mousemove", (e) => this.point(e.offsetX, e.offsetY)), this.canvas.addEventListener("mouseleave", () => this.point(-1, -1)), this.canvas.addEventListener("click", (e) => this.click(e.offsetX, e.offsetY)), this.canvas.addEventListener("keydown", (e) => this.key(e)), this.canvas.addEventListener("focus", () => this.redraw()), this.canvas.addEventListener("blur", () => this.redraw());
	}
	show(e) {
		this.scale.see(e.head, e.blocks), this.frame = e, (e.head.left ?? 0) <= 0 && (e.head.right ?? 1) >= 1 && (this.whole = e), this.selected = (e.head.node?.path ?? []).join("."), this.hover = -1, this.grow(), this.redraw();
	}
	grow() {
		let e = Math.min(this.most, Math.max(this.least, (this.deepest() + 1) * $));
		e <= this.rows || (this.rows = e, this.canvas.style.height = `${e}px`, this.resize());
	}
	clear() {
		this.frame = this.whole = null, this.rows = 0, this.scale.half = 0, this.marked.clear(), this.reset(), this.said.textContent = this.meaning, this.redraw();
	}
	mark(e, t = "#e0a100") {
		this.marked.clear();
		for (let n of e) for (let e = 0; e <= n.length; e++) this.marked.set(n.slice(0, e).join("."), t);
		this.redraw();
	}
	legend(e) {
		this.hover < 0 && (this.said.textContent = e), this.meaning = e;
	}
	get isMarked() {
		return this.marked.size > 0;
	}
	reset() {
		T(this.canvas).call(this.behaviour.transform, Q);
	}
	window() {
		let { k: e, x: t } = this.transform;
		return [Math.max(0, -t / (e * this.wide)), Math.min(1, (this.wide - t) / (e * this.wide))];
	}
	ask() {
		clearTimeout(this.asked), this.asked = window.setTimeout(() => {
			let [e, t] = this.window(), n = (t - e) / 2;
			this.asks.view(Math.max(0, e - n), Math.min(1, t + n));
		}, 60);
	}
	resize() {
		let e = this.element.clientWidth;
		if (!e) return;
		let t = devicePixelRatio || 1;
		this.wide = e, this.tall = Math.max(100, this.canvas.clientHeight), this.canvas.width = Math.round(e * t), this.canvas.height = Math.round(this.tall * t), this.behaviour.extent([[0, 0], [e, this.tall]]).translateExtent([[0, -1e5], [e, 1e5]]), this.redraw();
	}
	redraw() {
		this.waiting ||= requestAnimationFrame(() => this.draw());
	}
	top() {
		let e = this.deepest() * $;
		return Math.min(0, Math.max(this.tall - e - $, this.transform.k === 1 ? this.transform.y : this.transform.y / Math.sqrt(this.transform.k)));
	}
	deepest() {
		let e = this.frame?.blocks, t = 0;
		if (e) for (let n = 0; n < e.count; n++) t = Math.max(t, e.mark[n] >> 8);
		return t + 1;
	}
	draw() {
		this.waiting = 0;
		let e = this.canvas.getContext("2d");
		if (!e) return;
		let t = devicePixelRatio || 1;
		e.setTransform(t, 0, 0, t, 0, 0), e.clearRect(0, 0, this.wide, this.tall);
		let n = this.frame;
		if (!n?.blocks) return;
		let [r, i] = this.window();
		!((n.head.left ?? 0) <= r + 1e-9 && (n.head.right ?? 1) >= i - 1e-9) && this.whole && this.whole !== n && this.paint(e, this.whole), this.paint(e, n), this.drawn += 1, this.onDraw(n);
	}
	span(e, t) {
		let n = e.head.left ?? 0, r = (e.head.right ?? 1) - n, { k: i, x: a } = this.transform, o = e.blocks;
		return [(n + o.left[t] * r) * this.wide * i + a, o.width[t] * r * this.wide * i];
	}
	paint(e, t) {
		let n = t.blocks, r = t.head.labels ?? {}, i = this.top(), o = Ma(), s = this.marked.size || this.selected ? this.pathsOf(n) : null;
		e.font = "12px system-ui, sans-serif", e.textBaseline = "middle", e.textAlign = "center";
		for (let c = 0; c < n.count; c++) {
			let [l, u] = this.span(t, c), d = n.mark[c], f = i + (d >> 8) * $;
			if (l > this.wide || l + u < 0 || f > this.tall || f + $ < 0 || u < .15) continue;
			let p = Math.max(-2, l), m = Math.min(this.wide + 2, l + u);
			e.fillStyle = this.scale.css(n.value[c], Ba(d, n.size[c]));
			let h = +(m - p > 3);
			if (e.fillRect(p, f, Math.max(.4, m - p - h), 23), d & 16 && m - p > 3) {
				e.fillStyle = o ? "rgba(255,255,255,.22)" : "rgba(0,0,0,.16)";
				for (let t = p + 2; t < m - 1; t += 4) e.fillRect(t, f + $ - 5, 1.5, 1.5);
			}
			d & 4 && m - p > 4 && (e.fillStyle = Pa(o), e.fillRect(p, f + $ - 3, m - p - h, 1.5));
			let g = s?.[c];
			if (g !== void 0 && !(d & 16)) {
				let t = this.marked.get(g);
				t && g !== "" && Va(e, p, f, m - p - h, t, 2), g === this.selected && Va(e, p, f, m - p - h, Pa(o), 2.5);
			}
			c === this.hover && t === this.frame && Va(e, p, f, m - p - h, Pa(o), 1.5);
			let _ = d & 16 ? `${n.merged[c]} more` : r[c] ?? (c === 0 ? "root" : "");
			if (_ && m - p > 7 * _.length + 6) {
				e.fillStyle = Pa(o);
				let t = `${_}  ${a(n.value[c])}`, r = !(d & 16) && m - p > 7 * t.length + 10;
				e.fillText(r ? t : _, (p + m) / 2, f + $ / 2);
			}
		}
	}
	pathsOf(e) {
		let t = [""];
		for (let n = 1; n < e.count; n++) {
			let r = t[e.parent[n]];
			t.push(r === "" ? String(e.place[n]) : `${r}.${e.place[n]}`);
		}
		return t;
	}
	at(e, t) {
		let n = this.frame;
		if (!n?.blocks || e < 0) return -1;
		let r = Math.floor((t - this.top()) / $);
		for (let t = 0; t < n.blocks.count; t++) {
			if (n.blocks.mark[t] >> 8 !== r) continue;
			let [i, a] = this.span(n, t);
			if (e >= i && e <= i + a) return t;
		}
		return -1;
	}
	point(e, t) {
		let n = this.at(e, t);
		n !== this.hover && (this.hover = n, this.canvas.style.cursor = n >= 0 ? "pointer" : "grab", this.say(n), this.redraw());
	}
	say(e) {
		let t = this.frame, n = t?.blocks;
		if (!t || !n || e < 0) {
			this.said.textContent = this.meaning;
			return;
		}
		let r = n.mark[e], i = r & 16 ? `${n.merged[e]} moves` : e === 0 ? "root" : t.head.labels?.[e] ?? "a move", o = r & 2 ? ", the game is over" : r & 4 ? ", certain" : r & 8 ? ", a leaf" : "";
		this.said.textContent = `${i}: value ${a(n.value[e])}, ${s(n.size[e])} nodes, ply ${r >> 8}${o}`;
	}
	click(e, t) {
		let n = this.at(e, t), r = this.frame?.blocks;
		n < 0 || !r || (r.mark[n] & 16 ? this.zoomTo(n) : this.asks.select(La(r, n)));
	}
	zoomTo(e) {
		let [t, n] = this.span(this.frame, e), { k: r } = this.transform, i = Math.min(1e6, r * this.wide * .9 / Math.max(n, .001)), a = (t + n / 2 - this.transform.x) / r, o = Q.translate(this.wide / 2 - a * i, this.transform.y).scale(i);
		T(this.canvas).call(this.behaviour.transform, o);
	}
	key(e) {
		let t = this.frame?.head.node?.path ?? [], n = this.frame?.head.above ?? [], r = T(this.canvas), i = t[t.length - 1] ?? 0, a = n[n.length - 1]?.children ?? 1;
		if (e.key === "ArrowUp" && t.length) this.asks.select(t.slice(0, -1));
		else if (e.key === "ArrowDown" && this.frame?.head.node?.kids?.length) this.asks.select(this.frame.head.node.kids[0].path);
		else if (e.key === "ArrowLeft" && t.length && i > 0) this.asks.select([...t.slice(0, -1), i - 1]);
		else if (e.key === "ArrowRight" && t.length && i + 1 < a) this.asks.select([...t.slice(0, -1), i + 1]);
		else if (e.key === "+" || e.key === "=") r.call(this.behaviour.scaleBy, 1.6);
		else if (e.key === "-") r.call(this.behaviour.scaleBy, 1 / 1.6);
		else if (e.key === "0") this.reset();
		else return;
		e.preventDefault();
	}
	describe(e) {
		this.canvas.setAttribute("aria-label", e);
	}
};
function Ba(e, t) {
	return e & 4 ? 1 : Math.min(.95, .42 + .042 * Math.log2(1 + t));
}
function Va(e, t, n, r, i, a) {
	e.strokeStyle = i, e.lineWidth = a, e.strokeRect(t + a / 2, n + a / 2, Math.max(1, r - a), 23 - a);
}
// node_modules/d3-hierarchy/dist/d3-hierarchy.mjs
function Ha(e) {
	var t = 0, n = e.children, r = n && n.length;
	if (!r) t = 1;
	else for (; --r >= 0;) t += n[r].value;
	e.value = t;
}
function Ua() {
	return this.eachAfter(Ha);
}
function Wa(e, t) {
	let n = -1;
	for (let r of this) e.call(t, r, ++n, this);
	return this;
}
function Ga(e, t) {
	for (var n = this, r = [n], i, a, o = -1; n = r.pop();) if (e.call(t, n, ++o, this), i = n.children) for (a = i.length - 1; a >= 0; --a) r.push(i[a]);
	return this;
}
function Ka(e, t) {
	for (var n = this, r = [n], i = [], a, o, s, c = -1; n = r.pop();) if (i.push(n), a = n.children) for (o = 0, s = a.length; o < s; ++o) r.push(a[o]);
	for (; n = i.pop();) e.call(t, n, ++c, this);
	return this;
}
function qa(e, t) {
	let n = -1;
	for (let r of this) if (e.call(t, r, ++n, this)) return r;
}
function Ja(e) {
	return this.eachAfter(function(t) {
		for (var n = +e(t.data) || 0, r = t.children, i = r && r.length; --i >= 0;) n += r[i].value;
		t.value = n;
	});
}
function Ya(e) {
	return this.eachBefore(function(t) {
		t.children && t.children.sort(e);
	});
}
function Xa(e) {
	for (var t = this, n = Za(t, e), r = [t]; t !== n;) t = t.parent, r.push(t);
	for (var i = r.length; e !== n;) r.splice(i, 0, e), e = e.parent;
	return r;
}
function Za(e, t) {
	if (e === t) return e;
	var n = e.ancestors(), r = t.ancestors(), i = null;
	for (e = n.pop(), t = r.pop(); e === t;) i = e, e = n.pop(), t = r.pop();
	return i;
}
function Qa() {
	for (var e = this, t = [e]; e = e.parent;) t.push(e);
	return t;
}
function $a() {
	return Array.from(this);
}
function eo() {
	var e = [];
	return this.eachBefore(function(t) {
		t.children || e.push(t);
	}), e;
}
function to() {
	var e = this, t = [];
	return e.each(function(n) {
		n !== e && t.push({
			source: n.parent,
			target: n
		});
	}), t;
}
function* no() {
	var e = this, t, n = [e], r, i, a;
	do
		for (t = n.reverse(), n = []; e = t.pop();) if (yield e, r = e.children) for (i = 0, a = r.length; i < a; ++i) n.push(r[i]);
	while (n.length);
}
function ro(e, t) {
	e instanceof Map ? (e = [void 0, e], t === void 0 && (t = oo)) : t === void 0 && (t = ao);
	for (var n = new lo(e), r, i = [n], a, o, s, c; r = i.pop();) if ((o = t(r.data)) && (c = (o = Array.from(o)).length)) for (r.children = o, s = c - 1; s >= 0; --s) i.push(a = o[s] = new lo(o[s])), a.parent = r, a.depth = r.depth + 1;
	return n.eachBefore(co);
}
function io() {
	return ro(this).eachBefore(so);
}
function ao(e) {
	return e.children;
}
function oo(e) {
	return Array.isArray(e) ? e[1] : null;
}
function so(e) {
	e.data.value !== void 0 && (e.value = e.data.value), e.data = e.data.data;
}
function co(e) {
	var t = 0;
	do
		e.height = t;
	while ((e = e.parent) && e.height < ++t);
}
function lo(e) {
	this.data = e, this.depth = this.height = 0, this.parent = null;
}
lo.prototype = ro.prototype = {
	constructor: lo,
	count: Ua,
	each: Wa,
	eachAfter: Ka,
	eachBefore: Ga,
	find: qa,
	sum: Ja,
	sort: Ya,
	path: Xa,
	ancestors: Qa,
	descendants: $a,
	leaves: eo,
	links: to,
	copy: io,
	[Symbol.iterator]: no
};
function uo(e, t, n, r, i) {
	for (var a = e.children, o, s = -1, c = a.length, l = e.value && (r - t) / e.value; ++s < c;) o = a[s], o.y0 = n, o.y1 = i, o.x0 = t, o.x1 = t += o.value * l;
}
function fo(e, t) {
	return e.parent === t.parent ? 1 : 2;
}
function po(e) {
	var t = e.children;
	return t ? t[0] : e.t;
}
function mo(e) {
	var t = e.children;
	return t ? t[t.length - 1] : e.t;
}
function ho(e, t, n) {
	var r = n / (t.i - e.i);
	t.c -= r, t.s += n, e.c += r, t.z += n, t.m += n;
}
function go(e) {
	for (var t = 0, n = 0, r = e.children, i = r.length, a; --i >= 0;) a = r[i], a.z += t, a.m += t, t += a.s + (n += a.c);
}
function _o(e, t, n) {
	return e.a.parent === t.parent ? e.a : n;
}
function vo(e, t) {
	this._ = e, this.parent = null, this.children = null, this.A = null, this.a = this, this.z = 0, this.m = 0, this.c = 0, this.s = 0, this.t = null, this.i = t;
}
vo.prototype = Object.create(lo.prototype);
function yo(e) {
	for (var t = new vo(e, 0), n, r = [t], i, a, o, s; n = r.pop();) if (a = n._.children) for (n.children = Array(s = a.length), o = s - 1; o >= 0; --o) r.push(i = n.children[o] = new vo(a[o], o)), i.parent = n;
	return (t.parent = new vo(null, 0)).children = [t], t;
}
function bo() {
	var e = fo, t = 1, n = 1, r = null;
	function i(i) {
		var s = yo(i);
		if (s.eachAfter(a), s.parent.m = -s.z, s.eachBefore(o), r) i.eachBefore(c);
		else {
			var l = i, u = i, d = i;
			i.eachBefore(function(e) {
				e.x < l.x && (l = e), e.x > u.x && (u = e), e.depth > d.depth && (d = e);
			});
			var f = l === u ? 1 : e(l, u) / 2, p = f - l.x, m = t / (u.x + f + p), h = n / (d.depth || 1);
			i.eachBefore(function(e) {
				e.x = (e.x + p) * m, e.y = e.depth * h;
			});
		}
		return i;
	}
	function a(t) {
		var n = t.children, r = t.parent.children, i = t.i ? r[t.i - 1] : null;
		if (n) {
			go(t);
			var a = (n[0].z + n[n.length - 1].z) / 2;
			i ? (t.z = i.z + e(t._, i._), t.m = t.z - a) : t.z = a;
		} else i && (t.z = i.z + e(t._, i._));
		t.parent.A = s(t, i, t.parent.A || r[0]);
	}
	function o(e) {
		e._.x = e.z + e.parent.m, e.m += e.parent.m;
	}
	function s(t, n, r) {
		if (n) {
			for (var i = t, a = t, o = n, s = i.parent.children[0], c = i.m, l = a.m, u = o.m, d = s.m, f; o = mo(o), i = po(i), o && i;) s = po(s), a = mo(a), a.a = t, f = o.z + u - i.z - c + e(o._, i._), f > 0 && (ho(_o(o, t, r), t, f), c += f, l += f), u += o.m, c += i.m, d += s.m, l += a.m;
			o && !mo(a) && (a.t = o, a.m += u - l), i && !po(s) && (s.t = i, s.m += c - d, r = t);
		}
		return r;
	}
	function c(e) {
		e.x *= t, e.y = e.depth * n;
	}
	return i.separation = function(t) {
		return arguments.length ? (e = t, i) : e;
	}, i.size = function(e) {
		return arguments.length ? (r = !1, t = +e[0], n = +e[1], i) : r ? null : [t, n];
	}, i.nodeSize = function(e) {
		return arguments.length ? (r = !0, t = +e[0], n = +e[1], i) : r ? [t, n] : null;
	}, i;
}
function xo(e, t, n, r, i) {
	for (var a = e.children, o, s = -1, c = a.length, l = e.value && (i - n) / e.value; ++s < c;) o = a[s], o.x0 = t, o.x1 = r, o.y0 = n, o.y1 = n += o.value * l;
}
var So = (1 + Math.sqrt(5)) / 2;
function Co(e, t, n, r, i, a) {
	for (var o = [], s = t.children, c, l, u = 0, d = 0, f = s.length, p, m, h = t.value, g, _, v, y, b, x, S; u < f;) {
		p = i - n, m = a - r;
		do
			g = s[d++].value;
		while (!g && d < f);
		for (_ = v = g, x = Math.max(m / p, p / m) / (h * e), S = g * g * x, b = Math.max(v / S, S / _); d < f; ++d) {
			if (g += l = s[d].value, l < _ && (_ = l), l > v && (v = l), S = g * g * x, y = Math.max(v / S, S / _), y > b) {
				g -= l;
				break;
			}
			b = y;
		}
		o.push(c = {
			value: g,
			dice: p < m,
			children: s.slice(u, d)
		}), c.dice ? uo(c, n, r, i, h ? r += m * g / h : a) : xo(c, n, r, h ? n += p * g / h : i, a), h -= g, u = d;
	}
	return o;
}
(function e(t) {
	function n(e, n, r, i, a) {
		Co(t, e, n, r, i, a);
	}
	return n.ratio = function(t) {
		return e((t = +t) > 1 ? t : 1);
	}, n;
})(So), (function e(t) {
	function n(e, n, r, i, a) {
		if ((o = e._squarify) && o.ratio === t) for (var o, s, c, l, u = -1, d, f = o.length, p = e.value; ++u < f;) {
			for (s = o[u], c = s.children, l = s.value = 0, d = c.length; l < d; ++l) s.value += c[l].value;
			s.dice ? uo(s, n, r, i, p ? r += (a - r) * s.value / p : a) : xo(s, n, r, p ? n += (i - n) * s.value / p : i, a), p -= s.value;
		}
		else e._squarify = o = Co(t, e, n, r, i, a), o.ratio = t;
	}
	return n.ratio = function(t) {
		return e((t = +t) > 1 ? t : 1);
	}, n;
})(So);
// src/nodes.ts
var wo = 250, To = 150, Eo = 38, Do = 43, Oo = 196, ko = class {
	onSelect;
	scale;
	element = e("div", { class: "nodes" });
	above = e("nav", {
		class: "above",
		"aria-label": "The line to the selected node"
	});
	view = e("div", { class: "scroll" });
	facts = e("div", { class: "facts" });
	key = "";
	later = 0;
	shown = 0;
	selected = "";
	constructor(e, t) {
		this.onSelect = e, this.scale = t, this.element.append(this.above, this.view, this.facts);
	}
	show(e) {
		clearTimeout(this.later);
		let t = this.shown + wo - performance.now();
		e.running && t > 0 && e.node?.path.join(".") === this.selected ? this.later = window.setTimeout(() => this.update(e), t) : this.update(e);
	}
	update(t) {
		let n = t.node;
		if (!n) return;
		this.shown = performance.now(), this.selected = n.path.join(".");
		let r = JSON.stringify([
			n,
			t.principal,
			t.whole
		]);
		if (r === this.key) return;
		this.key = r;
		let a = document.activeElement instanceof Element ? document.activeElement.getAttribute("data-path") : null, o = [...t.above ?? [], n];
		if (i(this.above, ...o.map((t, n) => e("button", {
			class: n === o.length - 1 ? "crumb here" : "crumb",
			click: () => this.onSelect(t.path),
			"aria-current": n === o.length - 1 ? "true" : null
		}, n === 0 ? t.move || "root" : t.move))), this.element.classList.toggle("whole", !!t.whole), i(this.view, this.draw(t.whole ?? n, t)), i(this.facts, this.table(n, t)), a !== null && this.element.contains(this.view)) for (let e of this.view.querySelectorAll("[data-path]")) e.dataset.path === a && e.focus();
	}
	clear(t = "No tree yet. Search grows one from the position on the board; you see every part of it as it grows.") {
		clearTimeout(this.later), this.key = "", i(this.above), i(this.view, e("p", { class: "empty" }, t)), i(this.facts);
	}
	draw(e, n) {
		let r = ro(jo(e), (e) => e.kids), i = bo().nodeSize([Do, Oo]).separation((e, t) => e.data.facts && t.data.facts ? 1 : .72)(r), a = 0, o = 0, s = 0;
		i.each((e) => {
			a = Math.min(a, e.x), o = Math.max(o, e.x), s = Math.max(s, e.y);
		});
		let c = s + To + 8, l = o - a + Eo + 10, u = t("svg", {
			width: c,
			height: l,
			viewBox: `0 ${a - Eo / 2 - 5} ${c} ${l}`,
			role: "group",
			"aria-label": "The selected node and the moves below it"
		}), d = n.node?.path.join("."), f = new Set((n.principal ?? []).map((e, t, n) => n.slice(0, t + 1).join(".")));
		for (let e of i.links()) {
			let n = e.target.data.facts && f.has(e.target.data.facts.path.join(".")), r = e.source.y + To, i = e.target.y, a = e.source.x, o = e.target.x;
			u.append(t("path", {
				d: `M${r},${a}C${(r + i) / 2},${a} ${(r + i) / 2},${o} ${i},${o}`,
				class: n ? "edge best" : "edge"
			}));
		}
		for (let e of i.descendants()) u.append(this.box(e.data, e.y, e.x, e.data.facts?.path.join(".") === d));
		return u;
	}
	box(e, n, r, i) {
		let c = e.facts;
		if (!c) return t("text", {
			x: n + 4,
			y: r + 4,
			class: "more"
		}, `${s(e.more)} more`);
		let l = c.move || "root", u = `${l}: value ${a(c.value)}${c.solved ? ", certain" : ""}. ${No(c.numbers)}`, d = () => this.onSelect(c.path), [f, p, m] = this.scale.rgb(o(c.value));
		return t("g", {
			class: `node${i ? " selected" : ""}${c.open ? " open" : ""}`,
			tabindex: 0,
			role: "button",
			"aria-label": u,
			"data-path": c.path.join("."),
			transform: `translate(${n},${r - Eo / 2})`,
			click: d,
			keydown: (e) => {
				(e.key === "Enter" || e.key === " ") && (e.preventDefault(), d());
			}
		}, t("rect", {
			width: To,
			height: Eo,
			rx: c.max ? 3 : 14,
			fill: `rgb(${f},${p},${m})`
		}), c.solved ? t("rect", {
			x: 5,
			y: 34,
			width: 140,
			height: 2,
			class: "solid"
		}) : null, t("text", {
			x: 10,
			y: 16,
			class: "move"
		}, Po(l, 10)), t("text", {
			x: 140,
			y: 16,
			class: "value"
		}, a(c.value)), t("text", {
			x: 10,
			y: 31,
			class: "small"
		}, Po(No(c.numbers) || (c.size ? `${s(c.size)} nodes` : ""), 24)), t("title", {}, u));
	}
	table(t, n) {
		let r = [
			["minimax value", a(t.value) + (t.solved ? ", certain" : "")],
			["to move", t.max ? "Max" : "Min"],
			["nodes below", t.size === null ? "–" : s(t.size)],
			["children", String(t.children)],
			...(t.chances ?? []).map(([e, t]) => [`chance of ${a(e)}`, `${(100 * t).toFixed(1)} %`]),
			...Object.entries(t.numbers).filter(([e]) => e !== "distribution").map(([e, t]) => [Ao[e] ?? e, Mo(t)])
		];
		return e("table", { class: "numbers" }, e("caption", {}, t.path.length ? `After ${t.move}` : "The root", e("span", { class: "rule" }, n.rule)), e("tbody", {}, ...r.map(([t, n]) => e("tr", {}, e("th", { scope: "row" }, t), e("td", {}, n)))));
	}
}, Ao = {
	upper: "upper bounds, by conspirators",
	lower: "lower bounds, by conspirators",
	upper_tail: "upper bound beyond",
	lower_tail: "lower bound beyond",
	w: "penalty of the move, w",
	pi: "least penalty below, π",
	arrow: "arrow",
	value: "approximated value",
	swing: "swing",
	lookahead: "value for who moved",
	pn: "proof number",
	dn: "disproof number",
	visits: "visits",
	reward: "mean reward",
	prior: "prior",
	p: "proof function p",
	d: "disproof function d",
	scef: "SCEF value",
	vmin: "v_min",
	vmax: "v_max",
	expansions: "expansions below",
	minimax: "minimax of the errors"
};
function jo(e) {
	let t = (e.kids ?? []).map(jo);
	return e.more && t.push({
		facts: null,
		more: e.more,
		kids: []
	}), {
		facts: e,
		more: 0,
		kids: t
	};
}
function Mo(e) {
	return Array.isArray(e) ? e.length ? e.slice(0, 12).map((e) => Array.isArray(e) ? `${a(e[0])}→${a(e[1])}` : a(e)).join("  ") + (e.length > 12 ? ` … ${e.length - 12} more` : "") : "none" : a(e);
}
function No(e) {
	let t = [], { upper: n, lower: r } = e;
	n && r && t.push(`${a(r[1] ?? e.lower_tail)} … ${a(n[1] ?? e.upper_tail)}`);
	for (let [n, r] of [
		["visits", "n"],
		["reward", "q"],
		["prior", "P"],
		["pn", "pn"],
		["dn", "dn"],
		["swing", "swing"],
		["w", "w"],
		["pi", "π"],
		["vmin", "v−"],
		["vmax", "v+"],
		["minimax", "m"]
	]) {
		let i = e[n];
		typeof i == "number" ? t.push(`${r} ${a(Number(i.toPrecision(3)))}`) : i === "inf" && t.push(`${r} ∞`);
	}
	return t.slice(0, 3).join("  ");
}
function Po(e, t) {
	return e.length > t ? `${e.slice(0, t - 1)}…` : e;
}
// src/widget.ts
function Fo({ model: t, el: n }) {
	let r = new za({
		view: (e, n) => t.send({
			do: "view",
			left: e,
			right: n
		}),
		select: (e) => t.send({
			do: "select",
			path: e
		})
	}, 150, 320), i = new ko((e) => t.send({
		do: "select",
		path: e
	}), r.scale), a = e("p", { class: "dim" });
	n.append(e("div", { class: "conspirator-tree" }, a, r.element, i.element)), t.on("msg:custom", (e, t) => {
		let n = t[0];
		if (e.push !== "frame" || !n) return;
		let o = Fa(n.buffer.slice(n.byteOffset, n.byteOffset + n.byteLength));
		a.textContent = `${o.head.rule}: ${o.head.nodes} nodes; click a block, drag and scroll`, r.show(o), i.show(o.head);
	}), t.send({
		do: "view",
		left: 0,
		right: 1
	});
}
var Io = { render: Fo };
export { Io as default };
